package comparison

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model/compare"
	"assay/ui/comparison/contents"
)

// below is what stands below the list.
type below uint8

const (
	bytesBelow below = iota
	picturesBelow
	tableBelow
	textBelow
)

// Shares of the space.
const (
	listShare  = 0.62 // of the height, with bytes below
	listLess   = 0.42 // with pictures below
	listLeast  = 0.2  // of files that are one node
	asideShare = 0.70 // of the width, left of the details
)

func (c *Comparison) layout() {
	above := container.NewHSplit(c.list.View.Rows, c.details)
	above.SetOffset(asideShare)
	c.below = container.NewStack(c.bytes.Content)
	below := container.NewBorder(c.strip, nil, nil, nil, c.below)
	c.panes = container.NewVSplit(above, below)
	c.share = listShare
	c.panes.SetOffset(c.share)
	c.body = container.NewStack()
	// The notices have a place of their own: over the panes they would hide the tools of the pictures.
	c.content = c.Search.Typing.Over(container.NewBorder(c.head.content, c.notices.Content(), nil, nil, c.body))
}

// TogglePictures shows what the selected pair looks like, or its bytes; of texts, their lines, how they look, their
// bytes.
func (c *Comparison) TogglePictures() {
	to := c.next()
	c.asked = true
	c.show(to)
}

// next is what TogglePictures shows.
func (c *Comparison) next() below {
	switch drawn := c.c != nil && contents.Drawn(c.c); {
	case c.shown == textBelow && drawn && !plainText(c.c):
		return picturesBelow
	case c.shown == textBelow, c.shown == picturesBelow:
		return bytesBelow
	case c.hasText:
		return textBelow
	}
	return picturesBelow
}

// plainText reports whether the files look like nothing but their lines.
func plainText(c *compare.Comparison) bool {
	return (c.Old.View == nil || c.Old.Format == "bytes") && (c.New.View == nil || c.New.Format == "bytes")
}

// ToggleTable shows the list that the selected pair is a part of as a table, or what is usual.
func (c *Comparison) ToggleTable() {
	c.asked = c.shown != tableBelow
	if c.asked {
		c.show(tableBelow)
	} else {
		c.show(c.usual())
	}
}

// usual is what stands below the list unless the user chose something.
func (c *Comparison) usual() below {
	switch {
	case c.hasText:
		return textBelow
	case c.c != nil && contents.Drawn(c.c):
		return picturesBelow
	}
	return bytesBelow
}

// show shows something below the list, with the room that it needs.
func (c *Comparison) show(what below) {
	share := listShare
	switch {
	case what != bytesBelow && c.c != nil && c.c.BytesOnly:
		share = listLeast
	case what != bytesBelow:
		share = listLess
	}
	if c.panes.Offset == c.share { // the user did not choose it
		c.share = share
		c.panes.SetOffset(share)
	}
	c.place(what)
	c.look.Show(what == picturesBelow)
	c.tables.Show(what == tableBelow)
	c.texts.SetVisible(what == textBelow)
}

// place puts something below the list.
func (c *Comparison) place(what below) {
	c.shown = what
	content := [...]fyne.CanvasObject{c.bytes.Content, c.look.Content, c.tables.Sheet.Content(),
		c.texts.Content()}[what]
	if c.below.Objects[0] != content {
		c.below.Objects = []fyne.CanvasObject{content}
		c.below.Refresh()
	}
	c.head.showBelow(what)
}

// listKnown is called when it is known whether the selected pair has a table.
func (c *Comparison) listKnown() {
	c.head.showTable()
	if c.shown != picturesBelow { // whether the pictures stay is known when they are looked at
		c.settle()
	}
}

// settle shows the pictures of the selected pair, else the table of an array of numbers, else its bytes; what the user
// chose stays.
func (c *Comparison) settle() {
	if c.asked || !c.look.Visible {
		return
	}
	switch {
	case c.look.Worth():
		c.place(picturesBelow)
	case c.tables.Has && c.tables.Plain:
		c.place(tableBelow)
	default:
		c.place(bytesBelow)
	}
	if on := c.shown == tableBelow; on != c.tables.Visible {
		c.tables.Show(on)
	}
}
