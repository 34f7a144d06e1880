// Package kaitai reads files as Kaitai Struct descriptions (.ksy) say: https://doc.kaitai.io/ksy_reference.html and
// https://doc.kaitai.io/user_guide.html are the published documents. A description is read when the program runs;
// it is not compiled.
//
// Descriptions:
//
//	description.go  what a description consists of: types, attributes, switches, enumerations
//	read.go         a description and its types
//	attribute.go    the entries of seq, instances and params
//	keys.go         the values of their keys
//	reference.go    names of types, with arguments
//	enumeration.go  enumerations and their members
//	yaml.go         mappings, lists and values of YAML, with their places for errors
//	library.go      where descriptions and what they import are found
//	resolve.go      the types, enumerations and names that a description names
//	size.go         types that are always of one size
//	gallery.go      the descriptions that files are recognised by
//	folders.go      the folders in which a user keeps them
//	expression/     the expression language
//
// Files that are read as they say:
//
//	open.go         Open
//	reading.go      objects and their attributes, with types of the description
//	nested.go       objects in objects: with a size, or in what a process makes
//	leaf.go         numbers, bytes and texts
//	bits.go         bit fields
//	extent.go       where an attribute of a size or with a terminator ends
//	valid.go        what a value must be
//	list.go         repeated attributes
//	object.go       objects as values, and the scopes in which expressions are evaluated
//	instance.go     instances as nodes; those that need what is read later wait
//	rule.go         what a description says about a node, and where
//	process.go      what is done to bytes before they are read
//	payload.go      blocks of bytes that can leave a file
//
// Of the language:
//
//	read         meta: id title file-extension imports encoding endian (also switched) bit-endian; types, nested,
//	             imported, opaque (from a file of that name beside the description), with params; seq, instances,
//	             enums (with doc), doc, doc-ref, to-string; u1-u8 s1-s8 f4 f8 with le and be, b1-b64 with both
//	             orders, str, strz; contents, size, size-eos, terminator, include, consume, eos-error, pad-right,
//	             encoding, enum, if, repeat (expr, eos, until), switch-on, process (zlib, xor, rol, ror), valid,
//	             parent, pos, io, value; all of the expression language, f-strings, sizeof and bitsizeof among it
//	passed over  meta: application xref license ks-version ks-debug tags; keys that begin with a hyphen
//	not read     processes that a program would bring along: the bytes stay bytes, with a problem that names it
//
// An attribute without an id is named _unnamed0 by its position. What a process made of bytes has no bytes of its
// own in the file: the stored ones are the leaf _raw. Bytes of a sized attribute after its terminator or padding
// are _padding. A bit field owns the bytes that it is the first to read from.
//
// Other than in the programs that the language's own compiler makes: an error in an attribute that has a size does
// not end the reading of what follows it; what is not valid is an error, and reading goes on; a number, bytes or a
// text drops the bits that an object before it left of its last byte; a value instance that names an object around
// it does not show it again.
//
// Descriptions and files are bounded: see the constants of read.go, library.go, object.go, list.go and process.go,
// and of expression.
package kaitai
