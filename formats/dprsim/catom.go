package dprsim

import (
	"fmt"
	"strconv"

	"assay/formats/decode"
	"assay/model"
)

// catomHead is the size of id and total_length, which the total length does not count.
const catomHead = 8

// visitor is called for the state of a module, with the cursor at its data, of which there are Left bytes.
type visitor func(c *decode.Cursor, module int)

// catom is one catom while it is read.
type catom struct {
	body  *body
	c     *decode.Cursor
	start int64
	visit visitor // nil: the values are read here
}

// catom reads id, total_length, and the state of each module: for the check and the tree, and with a visitor, which
// reads the values itself, for tables and exports. The index needs only sizes, and reads by catom those catoms that
// typicalCatom.size does not measure. It returns the id, and whether the catom is whole. Of an incomplete one it reads
// the states that are certain.
func (b *body) catom(c *decode.Cursor, visit visitor) (id uint32, whole bool) {
	k := catom{b, c, c.Pos(), visit}
	id = c.U32("id")
	if n := c.Node(); n != nil && c.Err() == nil {
		n.Key = strconv.FormatUint(uint64(id), 10)
		label := id // the closure keeps its own: few catoms are labelled
		n.SetLabel(func() string { return fmt.Sprintf("catom %d", label) })
	}
	if c.Left() < 4 {
		return id, false
	}
	total := int64(c.Size("total_length", model.U32))
	if left := c.Left(); total > left {
		c.Remark(model.Error, model.Span{Offset: k.start + 4, Size: 4},
			"catom %d: its total length of %d bytes does not fit in the %d that are left; the catoms end here",
			b.count(), total, left)
		k.visit = nil // visitors are not shown what there is of a catom
		k.moduleStates(false)
		return id, false
	}
	c.Frame(total, func() {
		k.moduleStates(true)
		if c.Left() > 0 {
			k.surplus()
		}
	})
	return id, c.Err() == nil
}

// moduleStates reads a state for each module that is listed.
func (k *catom) moduleStates(whole bool) {
	c := k.c
	c.Struct("states", "ModuleState[]", func() {
		for i, m := range k.body.modules {
			switch left := c.Left(); {
			case left == 0 && whole:
				c.Remark(model.Warning, model.Span{Offset: c.Pos()}, "the catom ends before the state of module %s",
					m.title())
				return
			case left < 4 || !whole && !k.certain(m):
				return
			}
			name := ""
			if c.Recording() {
				name = model.IndexName(i)
			}
			c.Struct(name, "ModuleState", func() { k.moduleState(i) })
		}
	})
}

// certain reports whether the next bytes are sure to be a state of the module, judged by its length alone.
func (k *catom) certain(m *module) bool {
	b := k.c.Peek(4)
	if b == nil {
		return false
	}
	size := int64(framing.Uint32(b))
	return size <= k.c.Left()-4 && m.fills(size)
}

// moduleState reads the length of a module's state and its values.
func (k *catom) moduleState(module int) {
	c, m := k.c, k.body.modules[module]
	c.Key(m.key)
	size := int64(c.Size("length", model.U32))
	if left := c.Left(); size > left {
		c.Wrong("module %s has %d bytes, but only %d remain in the catom; continuing with the next catom after them",
			m.title(), size, left)
		c.Rest("surplus", types.Bytes)
		return
	}
	if k.visit == nil && !c.Recording() && m.fills(size) {
		c.Bytes("values", types.Bytes, size)
		return
	}
	c.Frame(size, func() {
		if k.visit != nil {
			k.visit(c, module)
		} else {
			k.values(m)
		}
	})
}

// surplus reads the bytes after the states of all listed modules.
func (k *catom) surplus() {
	c := k.c
	size := c.Left()
	more, whole := countStates(c)
	c.Rest("surplus", types.Bytes)
	switch {
	case whole && len(k.body.modules) > 0 && more == 1:
		c.Warn("the catom has one more module state than modules are listed")
	case whole && len(k.body.modules) > 0:
		c.Warn("the catom has %d more module states than modules are listed", more)
	case whole: // that no module is listed is said once
	default:
		c.Wrong("the catom's total length is %d bytes more than its module states; the next catom is looked for after them",
			size)
	}
}

// countStates returns how many states the bytes that are left are, and whether they are states to the end.
func countStates(c *decode.Cursor) (n int, whole bool) {
	q := c.Quiet(model.Span{Offset: c.Pos(), Size: c.Left()})
	for ; q.Left() > 0 && q.Err() == nil; n++ {
		q.Bytes("state", types.Bytes, int64(q.U32("length")))
	}
	return n, q.Err() == nil
}
