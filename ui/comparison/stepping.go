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
type stepper func(step int, wrap bool) bool

func (c *Comparison) stepBelow(noun string, delta int, step stepper) {
	c.ends.Step(c, noun, delta, func(wrap bool) bool { return step(delta, wrap) })
}

// stepsBelow returns the stepper of the panel below the tree and the noun for its changes, or nil to step through the
// tree.
func (c *Comparison) stepsBelow() (task string, step stepper) {
	if c.c == nil || !c.belowHasKeyboard() && c.treeHasChanges() {
		return "", nil
	}
	switch c.lowerShown {
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
	canvas := driver.CanvasForObject(c.lower)
	if canvas == nil {
		return false
	}
	focused, ok := canvas.Focused().(fyne.CanvasObject)
	if !ok {
		return false
	}
	origin, size := driver.AbsolutePositionForObject(c.lower), c.lower.Size()
	pos := driver.AbsolutePositionForObject(focused)
	return pos.X >= origin.X && pos.Y >= origin.Y && pos.X < origin.X+size.Width && pos.Y < origin.Y+size.Height
}
