package comparison

import (
	"fyne.io/fyne/v2"

	"assay/model/compare"
	"assay/ui/paint"
)

// NextChange moves to the next change: in the panel below the tree if it has the focus, or if the tree has no changes.
func (c *Comparison) NextChange() {
	if task, step := c.lowerStepper(); step != nil {
		c.stepInLower(task, 1, step)
		return
	}
	c.Steps.NextChange()
}

// PreviousChange moves to the previous change, in the same way.
func (c *Comparison) PreviousChange() {
	if task, step := c.lowerStepper(); step != nil {
		c.stepInLower(task, -1, step)
		return
	}
	c.Steps.PreviousChange()
}

// stepper moves to the next change in a direction. With wrap it starts at the other end. It returns false at the end.
type stepper func(step int, wrap bool) bool

func (c *Comparison) stepInLower(noun string, delta int, step stepper) {
	c.textEnds.Step(c, noun, delta, func(wrap bool) bool { return step(delta, wrap) })
}

// lowerStepper returns the stepper of the panel below the tree and the noun for its changes, or nil to step through the
// tree.
func (c *Comparison) lowerStepper() (task string, step stepper) {
	if c.result == nil || !c.isLowerFocused() && c.treeHasChanges() {
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
	return c.pictures.Steps()
}

// Cover maximizes the panel below the tree, or restores it.
func (c *Comparison) Cover() { c.cover.Toggle() }

// treeHasChanges reports whether the tree has a row to step to.
func (c *Comparison) treeHasChanges() bool {
	if c.result.BytesOnly || c.result.Root().Leaf() {
		return false
	}
	n := c.result.Counts()
	return n.Differences() > 0 || c.list.States().Has(compare.Same)
}

// isLowerFocused reports whether the panel below the tree has the focus.
func (c *Comparison) isLowerFocused() bool {
	driver := fyne.CurrentApp().Driver()
	canvas := driver.CanvasForObject(c.lower)
	if canvas == nil {
		return false
	}
	focused, ok := canvas.Focused().(fyne.CanvasObject)
	return ok && paint.Contains(c.lower, driver.AbsolutePositionForObject(focused))
}
