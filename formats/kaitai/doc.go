// Package kaitai reads files as Kaitai Struct descriptions (.ksy) say: https://doc.kaitai.io/ksy_reference.html and
// https://doc.kaitai.io/user_guide.html are the published documents. A description is read when the program runs;
// it is not compiled.
//
// Descriptions:
//
//	description.go  what a description consists of, with the language's keys, in the order of its reference
//	library.go      where descriptions and what they import are found
//	read.go         a description in a text
//	yaml.go         mappings, lists and values of YAML, read into structs by their keys
//	keys.go         the values that have a form of their own
//	label.go        what a person calls an object
//	error.go        errors, with file, line and path
//	names.go        what names of types, enumerations and members mean in a type
//	walk.go         all types, attributes and expressions of a description
//	resolve.go      the names that a description uses, and what is wrong before a file is read
//	size.go         what is always of one size, whose values expressions need, and what can be passed over
//	expression/     the expression language
//
// Files that are read as they say:
//
//	open.go         Open
//	reading.go      who reads: a cursor on a stream, what waits for it, and its errors
//	object.go       objects, their attributes one after the other, and the objects in them
//	leaf.go         numbers, bytes and texts, and where they end
//	bits.go         bit fields
//	process.go      what is done to bytes before they are read
//	list.go         repeated attributes, and their elements in expressions
//	valid.go        what a value must be
//	scope.go        what names mean when an expression is evaluated
//	instance.go     instances, as values and as nodes
//	show.go         values of expressions as nodes
//	rule.go         what a description says about a node, and where
//	page.go         a description as a page for people
//	payload.go      blocks of bytes that can leave a file
//
// To follow one object from bytes to values: object in object.go reads it, attribute by attribute, and nested the objects
// in it; leaf.go reads what has a value; scope.go is what expressions see of it.
//
// Of the language:
//
//	meta         id title file-extension imports encoding endian (also switched) bit-endian
//	types        nested, imported, opaque (from a file of that name beside the description), with params
//	of a type    seq params types instances enums (with doc) doc doc-ref to-string -webide-representation
//	numbers      u1-u8 s1-s8 f4 f8 with le and be; b1-b64 with both orders; enum
//	bytes, text  contents size size-eos terminator include consume eos-error pad-right; str strz encoding
//	choice       if switch-on; repeat (expr, eos, until), also with its expression in it: {expr: count}
//	process      zlib xor rol ror
//	valid        a value, a list of them, or eq min max any-of expr in-enum
//	instances    value; pos io, with all of an attribute
//	expressions  all, with f-strings, casts, sizeof and bitsizeof, _index _io _on _parent _root _sizeof
//	passed over  meta: application xref license ks-version ks-debug tags; other keys that begin with a hyphen
//	labels       -webide-representation with {name}, and {name:dec}, hex, str, uuid and flags; whole numbers are
//	             hexadecimal in it unless dec says otherwise, as in the language's editor
//	not read     processes that a program would bring along: the bytes stay bytes, with a problem that names it;
//	             a key or an id that stands twice is an error
//
// An attribute without an id is named _unnamed0 by its position. What a process made of bytes has no bytes of its
// own in the file: the stored ones are the leaf _raw. Bytes of a sized attribute after its terminator or padding
// are _padding. A bit field owns the bytes that it is the first to read from.
//
// Other than in the programs that the language's own compiler makes: an error in an attribute that has a size does not
// end the reading of what follows it; what is not valid is an error, and reading goes on; a number, bytes or a text
// drops the bits that an object before it left of its last byte; bit fields of both orders may meet within a byte,
// with a warning; a value instance that names an object around it does not show it again; instances that need one
// another more than 1000 deep are an error. _index is the position of the element that is read; outside a repeated
// attribute, also in instances, it is that of the object in the list that the object is an element of, and an error if
// it is in none. In repeat-until it is that of the element that was just read; some of the compiler's programs count
// one further there.
//
// Descriptions and files are bounded: see the constants of read.go, library.go, show.go, instance.go, leaf.go,
// process.go and label.go, and of expression.
//
// Readings of one document share what does not change once an object is read, and what is found later is set once: any
// number of goroutines may read.
package kaitai
