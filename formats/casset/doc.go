// Package casset reads CrystalEngine packages and bundles (.casset), in every layout that the engine published or
// wrote: Package 0.1 to 1.2, Package 2.0 and Bundle 2.0 (typed maps), Bundle 3.0 as the document "Bundle File Format
// Specification" has it, and Bundle 3.0 in the two revisions that the engine wrote. Both documents are in the engine's
// repository under Docs (CrystalEngine, Package and Bundle).
//
// The tables of the documents, in their order, are read in these files:
//
//	"Package File Format Specification" (1.x)
//	    Overview                                    header.go
//	    Object Entry to Object Field Data           package1.go
//	"Bundle File Format Specification" (3.0)
//	    File Structure                              bundle3.go
//	    Schema Table, Field Type                    schema.go
//	    Serialized Data to Array                    bundle3.go
//	its last part, which is of 2.0
//	    Object Entry to Array                       map2.go
//
// To follow an object from its bytes to its values, begin with the file of its generation, which has its tables from
// the first byte on. In 1.x each field has its name and its declared type before it; what that type leaves open,
// infer.go infers from the bytes. In 2.0 a byte before each value is its type. In 3.0 the schema has the names and the
// types of all fields. value.go has what the generations share: numbers, texts, blobs, and the limits of nesting.
//
// What differs between the revisions of a generation is data: layouts.go has a row for each, which names the generation
// too. Every header and every object has one reader, which opening, recognising, recovery and the search for
// dependencies use alike.
//
// All numbers are little-endian, all strings end with a NUL, every checksum is 0 and means nothing. The layouts share
// an extension, magic numbers and often the version number. What is not in the documents:
//
//	casset.go         Formats and Open: the parts of a file in their order
//	choose.go         which layout a file has, by its structure
//	object.go         what the objects of all generations have in common
//	list.go           the list of the objects
//	markedobjects.go  where they are before 3.0, also in a damaged file; sizedobjects.go, where those of 3.0 are
//	type.go           the kinds of values
//	typebyte.go       the bytes of types, as an enumeration
//	fields.go         what each field means, by the words of fields.md
//	oddsizes.go       sizes before the values of 3.0 that contradict their types
//	row.go            the plain elements of an array, which are one leaf
//	links.go          from a reference or a key to its object
//	dependencies.go   the files of other packages
//	groupings.go      other orders of the objects
//	texture.go        the fields of a texture; pixelformats.go, the engine's numbers of pixel formats
//	textureforms.go   a texture as a picture, as PNG and as OpenEXR
//	view.go           what people see of objects
//	payload.go        what can leave the file
//
// Meshes and materials are not drawn: neither the documents nor a file that is known say how the engine stores them.
//
// Not read: the text files and the CPAK prototype that came before Package 0.1.
package casset
