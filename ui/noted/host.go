package noted

import (
	"context"

	"assay/model"
	"assay/model/notes"
)

// Placer finds notes.
type Placer interface {
	// PlaceNotes finds the notes of a document, as notes.Place does. It may be called on any goroutine.
	PlaceNotes(ctx context.Context, d *model.Document, before *notes.Placement) (*notes.Placement, error)
}

// Host is what a part that shows notes asks of what it is in, besides what each part asks.
type Host interface {
	Placer
	// EditNote and DeleteNote are called with a note that the user chose.
	EditNote(n notes.Placed)
	DeleteNote(n notes.Placed)
	// CarryNotes makes notes of those of an earlier version.
	CarryNotes()
}
