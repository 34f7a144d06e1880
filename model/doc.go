// Package model holds what every part of Assay talks about: the read-only bytes of a file (Source), a piece of them
// (Span), an element of the decoded structure (Node), something wrong (Problem), an opened file (Document), an asset
// that can leave it (Payload), and what a look at the whole file finds (Report).
//
// A Document may be read by several goroutines at once. Nodes of a decoded structure never change once they are
// handed out; the elements of long lists are made anew each time they are looked at, so two looks give two Node
// values for one element. What stays the same is the Path, and a Path is the only selection there is.
//
// # The dump
//
// Document.Dump writes one JSON object: format, variant, why (how the variant was chosen), size, coverage {accounted,
// gaps [{offset, size}], overlaps}, problems [{severity: error, warning or note, offset, size, path, message}], root.
//
// A node is name, type, key?, offset, size, value?, symbol?, raw?, problems?, children?. Only leaves, nodes without
// children, own bytes, and every byte is owned once; leaves of the type gap stand for bytes that nothing explains and
// own nothing. Accounted is the number of bytes that leaves own.
//
//   - A path is names from the root's children down, elements by index, with ~1 for / and ~0 for ~ in a name:
//     /objects/0/nodes/3/transform. The root is /.
//   - An array of structs has a first child count. An array of scalars is one leaf whose value is an array, its count
//
// included in its bytes. A string leaf includes its length or its NUL. A block of bytes has the value {bytes, sha256}.
//   - A missing value has no node, only a problem; an absent optional part has the value "none".
//   - An enum's value is its number, its name is the symbol. NaN and the infinities are the strings NaN, Inf and -Inf.
//     64-bit integers are exact. Strings are UTF-8; where the bytes are not, U+FFFD, and raw has them in hex.
//
// - Gaps are the last child of the root, a list called gap; everything else is in the order of the published document.
//
// Reports of an extraction and of a comparison are described at export.Report.WriteJSON and
// compare.Comparison.WriteJSON.
//
// It also divides work among the processors.
package model
