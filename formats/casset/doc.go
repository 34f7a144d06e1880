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
//	    File Structure                              header.go
//	    Schema Table, Field Type                    schema.go
//	    Serialized Data: its head and its end       list.go
//	    its entries, Field Value to Array           bundle3.go
//	    of these String and Binary                  value.go
//	its last part, which is of 2.0
//	    Object Entry to Array                       map2.go
//
// object.go asks which generation an object is of, and three files take it from its bytes to its values:
//
//	1.x   package1.go, marked.go, value.go   a field has its name and its declared type before it; what that type
//	                                         leaves open is inferred from the bytes
//	2.0   map2.go, marked.go, value.go       a byte before each value is its type
//	3.0   bundle3.go, schema.go, value.go    the schema has the names and the types of all fields; where sizes are
//	                                         before the values, bundle3.go follows those that contradict the types too
//
// Begin with the head of an object, at package1Head, map2Head or bundle3Head, and go on with its fields, which the
// next function reads. marked.go has how an object before 3.0 begins; header.go what headers and heads share: flags,
// checksums and the bytes of later versions. value.go has what the generations share: the kinds of values, how a value
// is read whose kind is known, and the limits of nesting; rows.go, arrays of plain elements.
//
// What differs between the revisions of a generation is data: layouts.go has a row for each, which names the generation
// too. Every header and every object has one reader, which opening, recognising, recovery and the search for
// dependencies use alike.
//
// All numbers are little-endian, all strings end with a NUL, every checksum is 0 and means nothing. The layouts share
// an extension, magic numbers and often the version number. What is not in the documents:
//
//	casset.go         Formats and Open: the parts of a file in their order
//	choose.go         which layout a file has, by its structure: choose returns it
//	object.go         the generations, and what each reads of an object
//	list.go           the list of the objects
//	structsizes.go    what the schema tells of values before they are read
//	sizedobjects.go   where the objects of 3.0 are, also in a damaged file; markedobjects.go, those before
//	typebyte.go       the bytes of types, as an enumeration
//	visitor.go        the numbers and the blobs of an object, which textures and payloads are made of
//	fields.go         what each field means, by the words of fields.md
//	uuid.go           a UUID: how it is read, printed, and read again from what was printed
//	links.go          from a reference or a key to its object
//	dependencies.go   the files of other packages; bundlefiles.go, those of bundles by their UUIDs
//	groupings.go      other orders of the objects
//	texture.go        the fields of a texture; pixelformats.go, the engine's numbers of pixel formats
//	textureforms.go   a texture as a picture, as PNG and as OpenEXR
//	view.go           what people see of objects
//	payload.go        what can leave the file
//
// Meshes and materials are not drawn: neither the documents nor a file that is known say how the engine stores them.
//
// Not read: the text files and the CPAK prototype that came before Package 0.1. Of what old writers of 2.0 did wrong,
// an array that stops at a null is followed; an id of 32 bits with the type of 64, and a char without its byte, are
// broken entries. Integer vectors of 2.0 are shown as floats: their types are the same.
package casset
