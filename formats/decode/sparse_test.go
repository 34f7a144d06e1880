package decode_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/decode"
	"assay/model"
)

// nest reads structs inside of each other: a number, the next struct, and a number, which is 77 in one of them.
func nest(c *decode.Cursor, depth int, sparse bool) {
	enter, leave := c.Enter, func(func(*decode.Cursor)) { c.Leave() }
	if sparse {
		enter, leave = c.EnterSparse, c.LeaveSparse
	}
	for range depth {
		enter("inner", "Inner")
		before(c)
	}
	for range depth {
		after(c)
		leave(func(e *decode.Cursor) {
			before(e)
			e.Kept()
			after(e)
		})
	}
}

func before(c *decode.Cursor) { c.U16("before") }

func after(c *decode.Cursor) {
	c.U8("first")
	if c.U8("second") == 77 {
		c.Warn("77 is not good")
	}
}

func TestSparseStructsHaveAllTheirFields(t *testing.T) {
	const depth = 8_000
	b := make([]byte, 4*depth)
	for i := range b {
		b[i] = byte(i % 61)
	}
	b[2*depth+2*1000+1] = 77
	record := func(size int, sparse bool) *model.Document {
		src := model.NewSource("memory", bytes.NewReader(b[:size]), int64(size))
		c := decode.New(t.Context(), src, "Root", binary.LittleEndian, types)
		nest(c, depth, sparse)
		return model.NewDocument(src, "test", "1", c.Close())
	}
	for name, size := range map[string]int{"whole": len(b), "cut short": len(b) - depth - 1} {
		t.Run(name, func(t *testing.T) {
			want, got := record(size, false), record(size, true)
			type line struct {
				name, typ string
				span      model.Span
				value     any
				index     int
				problems  []model.Problem
			}
			lines := func(d *model.Document) (all []line) {
				require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
					if n.Parent != nil {
						require.Same(t, n, n.Parent.Child(n.Index).Parent.Child(n.Index))
					}
					all = append(all, line{n.Name, n.Type, n.Span, n.Value, n.Index, n.Problems()})
					return true, nil
				}, nil))
				return all
			}
			wanted, found := lines(want), lines(got)
			require.Len(t, found, len(wanted))
			for i := range wanted {
				require.Equal(t, wanted[i], found[i])
			}
			held, n := 0, got.Root()
			for n != nil {
				list, ok := n.Children().(model.List)
				if h, sparse := n.Children().(model.Holder); !ok && sparse {
					list = h.Held()
				}
				held += len(list)
				if n = n.Named("inner"); n != nil && n.Leaf() {
					n = nil
				}
			}
			assert.Less(t, held, 3*depth, "of %d nodes", 4*depth)
			for off := int64(0); off < int64(size); off += 997 {
				a, b := want.Owner(off), got.Owner(off)
				require.Equal(t, a == nil, b == nil, off)
				if a != nil {
					require.Equal(t, a.Path(), b.Path(), off)
				}
			}
		})
	}
}
