// Package model holds the central types of Assay: the read-only bytes of a file (Source), a range of them (Span), an
// element of the decoded structure (Node), a problem (Problem), an opened file (Document), an asset that can be
// exported (Payload), and the result of checking the whole file (Report). It also divides work among the processors.
//
// A Document may be read by several goroutines at once. Nodes of a decoded structure never change once they are handed
// out; the elements of long lists are created on each access, so two accesses give two Node values for one element. The
// Path stays the same, so selections are stored as Paths.
//
// Only leaves, nodes without children, own bytes, and every byte is owned once. The bytes that no leaf owns are gaps.
package model
