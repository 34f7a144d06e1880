// Package model holds what every part of Assay talks about: the read-only bytes of a file (Source), a piece of them
// (Span), an element of the decoded structure (Node), something wrong (Problem), an opened file (Document), an asset
// that can leave it (Payload), and what a look at the whole file finds (Report).
//
// A Document may be read by several goroutines at once. Nodes of a decoded structure never change once they are
// handed out; the elements of long lists are made anew each time they are looked at, so two looks give two Node
// values for one element. What stays the same is the Path, and a Path is the only selection there is.
package model
