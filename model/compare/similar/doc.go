// Package similar measures how much two contents have in common, by hashes of short windows of their bytes.
//
//	features.go  the features of a content, the share of them that two have in common, and the best matches
package similar
