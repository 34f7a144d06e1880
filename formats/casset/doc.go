// Package casset reads CrystalEngine packages and bundles (.casset), in every layout that the engine published or
// wrote: Package 0.1 to 1.2, Package 2.0 and Bundle 2.0 (typed maps), Bundle 3.0 as the document "Bundle File Format
// Specification" has it, and Bundle 3.0 in the two revisions that the engine wrote. Both documents are in the engine's
// repository under Docs (CrystalEngine, Package and Bundle).
//
// The layouts share an extension, magic numbers and often the version number: layout.go and frame3.go choose by
// structure. All numbers are little-endian, all strings end with a NUL, every checksum is 0 and means nothing.
//
// The list of objects is an index of offsets made in one pass; an object is decoded when it is looked at, and so are
// the elements of arrays.
//
// Not read: the text files and the CPAK prototype that came before Package 0.1.
package casset
