// Package merge puts what two versions changed in one file beside each other, and finds conflicts.
//
//	merge.go  two versions of one file    withoutbase.go  two versions that were made from nothing
package merge
