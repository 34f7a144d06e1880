// Package model holds the central types of Assay: the read-only bytes of a file (Source), a range of them (Span), an
// element of the decoded structure (Node), a problem (Problem), an opened file (Document), an asset that can be
// exported (Payload), and the result of checking the whole file (Report). It also divides work among the processors.
//
// A Document may be read by several goroutines at once. Nodes of a decoded structure never change once they are handed
// out; the elements of long lists are created on each access, so two accesses give two Node values for one element. The
// Path stays the same, so selections are stored as Paths.
//
// # The dump
//
// Document.Dump writes one JSON object: format, variant, why (how the variant was chosen), size, coverage {accounted,
// gaps [{offset, size}], overlaps}, problems [{severity: error, warning or note, offset, size, path, message}], root.
//
// A node is name, type, key?, offset, size, bits?, value?, symbol?, raw?, problems?, children?. Only leaves, nodes
// without children, own bytes, and every byte is owned once; leaves of the type gap are undecoded bytes and own
// nothing. Accounted is the number of bytes that leaves own.
//
//   - A path is names from the root's children down, elements by index, with ~1 for / and ~0 for ~ in a name:
//     /objects/0/nodes/3/transform. The root is /.
//   - An array of structs has a first child count. An array of scalars is one leaf whose value is an array; its bytes
//     include its count. A string leaf includes its length or its NUL. A block of bytes has the value {bytes, sha256}.
//   - A bit field that does not take whole bytes has bits {first, count, order?}: first counts from 0 in the byte at
//     the offset, from the most significant bit on, or from the least with the order le. It owns the bytes it begins.
//   - A missing value has no node, only a problem; an absent optional part has the value "none".
//   - An enum's value is its number, its name is the symbol. NaN and the infinities are the strings NaN, Inf and -Inf.
//     64-bit integers are exact. Strings are UTF-8; other bytes become U+FFFD, and raw has them in hex.
//   - Gaps are the last child of the root, a list called gap; all else is in the order of the specification.
//
// Reports of an extraction and of a comparison are described at export.Report.WriteJSON and
// compare.Comparison.WriteJSON.
package model
