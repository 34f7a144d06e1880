// Package align aligns two sequences over what was inserted and deleted: the bytes of two files (Bytes), and elements
// that only their content tells apart (Uniques). It knows nothing of documents.
//
//	bytes.go   two files, from the whole to small parts    chunks.go  parts whose ends their content decides
//	fine.go    small parts, in memory                      first.go   the first byte that differs
//	unique.go  elements that occur once on either side
//
// It also measures how much two contents have in common, by hashes of short windows of their bytes.
package align
