// Package kaitai reads files as Kaitai Struct descriptions (.ksy) say: https://doc.kaitai.io/ksy_reference.html and
// https://doc.kaitai.io/user_guide.html are the published documents. A description is read when the program runs;
// it is not compiled.
//
// Descriptions:
//
//	description.go  what a description consists of: the language's keys, in the order of its reference
//	library.go      where descriptions and what they import are found
//	read.go         a description in a text
//	yaml.go         mappings, lists and values of YAML, read into structs by their keys
//	keys.go         the values that have a form of their own
//	label.go        what a person calls an object
//	error.go        errors, with file, line and path
//	names.go        what names of types, enumerations and members mean in a type
//	walk.go         all types, attributes and expressions of a description
//	resolve.go      the names that a description uses, and what is wrong before a file is read
//	attribute.go    what is asked of an attribute, and by whom
//	plan.go         what is found once for all readings: sizes, whose values are kept, what can be passed over
//	expression/     the expression language
//	gallery/        the descriptions that there are for a file
//
// Files that are read as they say:
//
//	open.go         Open
//	budget.go       what the readings of a document may cost
//	reading.go      who reads: a cursor on a stream, what waits for it, and its errors
//	object.go       objects: their attributes one after the other, and the objects in them
//	leaf.go         numbers, bytes and texts
//	extent.go       where bytes and texts end, and objects with a size
//	bits.go         bit fields
//	process.go      what is done to bytes before they are read, and the objects in them
//	list.go         repeated attributes, and their elements in expressions
//	valid.go        what a value must be
//	scope.go        what names mean when an expression is evaluated
//	instance.go     instances, as values and as nodes
//	show.go         values of expressions as nodes
//	rule.go         what a description says about a node, and where
//	page.go         a description as a page for people
//	payload.go      blocks of bytes that can leave a file
//
// To follow one object from bytes to values, read object.go: attributes reads its attributes, of which attribute
// decides what each is, and nested reads the objects in it. leaf.go reads what has a value, and reading.go says what
// the reading that does all this has. What is repeated goes on in list.go, and instances in instance.go.
//
// What there is while a file is read, and whose it is:
//
//	reading      of one goroutine: a cursor on a stream, and why it reads. reading.go makes all others of one: with
//	             (another cursor), within and withinMade (a stream in the stream), elsewhere and evaluating
//	             (instances), later; and those of an object that is shown
//	stream       of the objects in it: its bytes, and how far the object was read that it is of
//	object       of who reads it, and of all once it is read; only its instances are set later, each once
//	instance     of its object: a value, where one was read, or why there is none
//	activation   of the reading of an instance or an element: both, with what waits for them; it is passed on
//	suspended    of the reading within a stream or elsewhere: how far the streams around it are read; it is passed on
//	deferred     of the reading that records the outermost object: nodes that are made in the end
//	elements     of the object that has the list: where its elements are, which are read again when they are needed
//	shownPath    of nodes: the objects whose instances are shown around them, so that this ends
//
// Readings of one document share what does not change once an object is read, and what is found later is set once: any
// number of goroutines may read. They share the elements that were read last, too (recentElements, with a lock).
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
//	passed over  meta: application xref license tags ks-version ks-debug ks-opaque-types ks-zero-copy-substream; other
//	             keys that begin with a hyphen, which are those of other programs
//	labels       -webide-representation with {name}, and {name:dec}, hex, str, uuid and flags; whole numbers are
//	             hexadecimal in it unless dec says otherwise, as in the language's editor
//	of Assay     -assay-export: true, false or {name, media-type} of bytes that can leave the file
//	not read     processes that a program would bring along: the bytes stay bytes, with a problem that names it;
//	             a key or an id that stands twice is an error, as are two imports of one id that differ
//
// An attribute without an id is named _unnamed0 by its position. What a process made of bytes has no bytes of its
// own in the file: the stored ones are the leaf _raw. Bytes of an object with a size after its terminator or padding
// are _padding. A bit field owns the bytes that it is the first to read from; bit fields go on in an object or a choice
// that follows, and what is left of a byte is dropped where a number, bytes, a text or an object with a size begins, as
// from version 0.11 of the language on.
//
// Other than in the programs that the language's own compiler makes: an error in an attribute that has a size, or in an
// element of a list of objects of one size, does not end the reading of what follows it; what is not valid is an error,
// and reading goes on; bit fields of both orders may meet within a byte, with a warning; a value instance that names an
// object around it does not show it again; instances that need one another more than 1000 deep are an error; an element
// of a list that includes a terminator without consuming it is not followed by that terminator again; a choice in a
// list that no case fits is an empty element. _index is the position of the element that is read; outside a repeated
// attribute, also in instances, it is that of the object in the list that the object is an element of, and an error if
// it is in none. In repeat-until it is that of the element that was just read; some of the compiler's programs count
// one further there. _sizeof of an object whose type has no fixed size is how many bytes it took, once it is read.
//
// Descriptions and files are bounded: see the constants of read.go, library.go, show.go, instance.go, leaf.go,
// process.go and label.go, and of expression. All readings of a document share one budget (budget.go): steps, for the
// time, and bytes that objects hold, for the memory. When it is spent, reading stops, what was read stays, and
// model.Document.Budget returns the one problem that says so, with the path and the rule.
package kaitai
