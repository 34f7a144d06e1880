package comparison

import (
	"fyne.io/fyne/v2"

	"assay/model/compare"
)

// NextChange moves to the next change: in the panel below the tree if it has the focus, or if the tree has no changes.
func (c *Comparison) NextChange() {
	if task, step := c.stepsBelow(); step != nil {
		c.stepBelow(task, 1, step)
		return
	}
	c.Steps.NextChange()
}

// PreviousChange moves to the previous change, in the same way.
func (c *Comparison) PreviousChange() {
	if task, step := c.stepsBelow(); step != nil {
		c.stepBelow(task, -1, step)
		return
	}
	c.Steps.PreviousChange()
}

// stepper moves to the next change in a direction; around: from the other end. It returns false at the end.
type stepper func(step int, around bool) bool

func (c *Comparison) stepBelow(task string, by int, step stepper) {
	c.ends.Step(c, task, by, func(around bool) bool { return step(by, around) })
}

// stepsBelow returns the stepper of the panel below the tree and the noun for its changes, or nil to step through the
// tree.
func (c *Comparison) stepsBelow() (task string, step stepper) {
	if c.c == nil || !c.belowHasKeyboard() && c.treeHasChanges() {
		return "", nil
	}
	switch c.shown {
	case textBelow:
		return "changed line", c.texts.Step
	case tableBelow:
		return "changed row", c.tables.Step
	case bytesBelow:
		return "range of bytes that differ", c.bytes.Step
	}
	return c.look.Steps()
}

// Cover maximizes the panel below the tree, or restores it.
func (c *Comparison) Cover() { c.cover.Toggle() }

// treeHasChanges reports whether the tree has a row to step to.
func (c *Comparison) treeHasChanges() bool {
	if c.c.BytesOnly || c.c.Root().Leaf() {
		return false
	}
	n := c.c.Counts()
	return n.Differences() > 0 || c.list.States().Has(compare.Same)
}

// belowHasKeyboard reports whether the panel below the tree has the focus.
func (c *Comparison) belowHasKeyboard() bool {
	driver := fyne.CurrentApp().Driver()
	canvas := driver.CanvasForObject(c.below)
	if canvas == nil {
		return false
	}
	focused, ok := canvas.Focused().(fyne.CanvasObject)
	if !ok {
		return false
	}
	from, size := driver.AbsolutePositionForObject(c.below), c.below.Size()
	pos := driver.AbsolutePositionForObject(focused)
	return pos.X >= from.X && pos.Y >= from.Y && pos.X < from.X+size.Width && pos.Y < from.Y+size.Height
}
