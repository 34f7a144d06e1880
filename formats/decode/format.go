package decode

import (
	"cmp"
	"context"

	"assay/model"
)

// Confidence is how certain a format is that a file is its own, judged by the file's first bytes.
type Confidence int

// No: another format. Maybe: possible, so the extension decides. Yes: recognized by the content.
const (
	No Confidence = iota
	Maybe
	Yes
)

// Format is a file format that Assay opens, and its description for users and desktops.
type Format struct {
	model.FileType
	Name  string // as Document.Format has it
	Sniff func(head []byte, size int64) Confidence
	Open  model.Opener
	// Altered returns why a file that begins almost like this format cannot be read: a text conversion changed its
	// bytes, or the variant is unsupported. It returns "" for other files. Altered may be nil.
	Altered func(head []byte) string
	// Page returns the documentation of the format, which formats may share. It may be nil.
	Page   func() *model.Page
	Packer *model.Packer // writes packages of the format; may be nil
	// Forms holds the export forms of whole files that are assets of other files, by extension. The decoded file
	// supplies the function that writes a form.
	Forms map[string][]model.Form
}

// Score rates how well a layout explains a file. The fields count in their order.
type Score struct {
	Complete  int   // parts of the file that were read to their ends
	Problems  int   // values that speak against the layout: fewer are better
	Accounted int64 // bytes that were decoded
	Signs     int   // other evidence, where all else is equal
	Certain   bool  // nothing can be better: the candidates after it are not read
}

// Compare returns 1 if s speaks more for its layout than t for another, -1 if less.
func (s Score) Compare(t Score) int {
	return cmp.Or(cmp.Compare(s.Complete, t.Complete), cmp.Compare(t.Problems, s.Problems),
		cmp.Compare(s.Accounted, t.Accounted), cmp.Compare(s.Signs, t.Signs))
}

// Choice is the reading of a file in its best layout, with the reason for it.
type Choice[R any] struct {
	Best  *R    // nil if the file has none of the layouts
	Score Score // of Best
	Next  Score // the best of the others
}

// Choose reads a file in each candidate layout, the likeliest first, and chooses the first with the best score. read
// returns nil for a layout that the file does not have. After ctx ended no more are read.
func Choose[C, R any](ctx context.Context, candidates []C, read func(c C) (*R, Score)) (best Choice[R]) {
	for _, c := range candidates {
		r, s := read(c)
		switch {
		case r == nil:
		case best.Best == nil:
			best.Best, best.Score = r, s
		case s.Compare(best.Score) > 0:
			best = Choice[R]{r, s, best.Score}
		case s.Compare(best.Next) > 0:
			best.Next = s
		}
		if r != nil && s.Certain || ctx.Err() != nil {
			break
		}
	}
	return best
}
