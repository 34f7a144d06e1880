// Package write writes PPAC containers, in both revisions and with numbers of each width. It does not use the package
// that reads them: what it knows of the format it says itself, so that each is a test of the other.
//
//	archive.go  what is to be written        layout.go    widths, and where each section will stand
//	write.go    the sections, in their order metadata.go  METADATA ENTRY, and what it stands in
//	output.go   numbers
//
// To follow one asset: layout.go makes room for it, write.go writes its bytes and its index entry, metadata.go what is
// recorded about it.
//
// A container is written from its beginning to its end, and the content of an asset is copied from where it is. What
// stands after the assets is held in memory until they are written: the index, metadata blocks, the trash index.
package write
