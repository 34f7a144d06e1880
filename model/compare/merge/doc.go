// Package merge puts what two versions changed in one file beside each other, finds conflicts, and writes the file that
// has what is taken of each: assets of an archive, lines of a text, or one whole file.
//
//	merge.go    what two versions changed    withoutbase.go  two versions that were made from nothing
//	merging.go  the pieces that are taken    hunks.go        lines of a text
package merge
