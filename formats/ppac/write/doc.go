// Package write writes PPAC containers, in both revisions and with numbers of each width. It does not use the package
// that reads them: what it knows of the format it says itself, so that each is a test of the other.
//
//	archive.go  what is to be written         layout.go   which widths hold it
//	write.go    the sections, in their order  output.go   numbers and pairs
//
// A container is written from its beginning to its end, and the content of an asset is copied from where it is: only
// the sums are held in memory that assets do not bring, 4 or 32 bytes an asset.
package write
