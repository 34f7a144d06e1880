package model

import "context"

// Summary is what a comparison needs of one element of a long list.
type Summary struct {
	Key    uint64 // equal exactly where the nodes' keys are equal
	Digest uint64 // of every value but the key and those whose Role follows from the layout
	Span   Span   // the element's bytes
}

// Summaries describes the elements of a long list in bulk, so that two versions of a million elements compare without
// a million nodes. Element 0 is the first one after the list's First nodes.
type Summaries struct {
	// Keyed says that Summary.Key is set; without it the elements must have no keys.
	Keyed bool
	// Recorded says that Digest is made of the checksums and sizes which the file records for a content, and that
	// the content itself was not read.
	Recorded bool
	// Distinct says that elements with equal digests are one thing, under whatever key.
	Distinct bool
	// Fill describes len(out) elements from first on, until ctx ends. It may be called from any goroutine.
	Fill func(ctx context.Context, first int, out []Summary) error
}
