// Package similar measures how much two contents have in common, by hashes of short windows of their bytes.
//
//	features.go  the features of a content, those that tell contents apart, and the share that two have in common
package similar
