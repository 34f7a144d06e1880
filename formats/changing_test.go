package formats_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/formats"
	"assay/formats/formatstest"
	"assay/model"
	"assay/model/find"
	"assay/model/query"
	"assay/model/render"
	"assay/model/scene"
)

// changing is the bytes of a file that becomes another one after some reads: one that cannot be read, one with other
// bytes, or one that is damaged from its middle on.
type changing struct {
	reads atomic.Int64 // that are still as they were
	was   []byte
	is    []byte // nil: nothing can be read
}

func (c *changing) ReadAt(p []byte, off int64) (int, error) {
	if c.reads.Add(-1) >= 0 {
		return bytes.NewReader(c.was).ReadAt(p, off)
	}
	if c.is == nil {
		return 0, errors.New("the disk is gone")
	}
	return bytes.NewReader(c.is).ReadAt(p, off)
}

// visitAll looks at everything that a document has to show, as far as it can be had.
func visitAll(ctx context.Context, d *model.Document) {
	if r, err := d.Check(ctx, nil); err == nil {
		_ = d.Dump(ctx, io.Discard, r)
	}
	visit := func(root *model.Node) {
		_ = model.Walk(root, func(n *model.Node) (bool, error) {
			if n.Link != nil && n.Link.Target != nil {
				if p, ok := n.Link.Target(); ok {
					d.At(p)
				}
			}
			if d.FindKey != nil && n.Key != "" {
				d.FindKey(n.Key)
			}
			return true, nil
		}, nil)
	}
	visit(d.Root())
	for off := int64(0); off < d.Source.Size(); off += 97 {
		d.Owner(off)
	}
	for _, g := range d.Groups {
		if root, err := g.Build(ctx); err == nil {
			visit(root)
		}
	}
	for _, s := range d.Tables {
		if t, err := s.Open(ctx); err == nil && len(t.Columns) > 0 {
			_, _ = query.Sort(ctx, t, nil, len(t.Columns)-1, false)
		}
	}
	if d.View != nil {
		if v, err := d.View(ctx, d.Root()); err == nil {
			if s, ok := v.(*scene.Scene); ok {
				_, _ = render.Load(ctx, s)
			}
		}
	}
	if d.Payloads == nil {
		return
	}
	for i := range d.Payloads.Len() {
		p := d.Payloads.At(i)
		_, _, _ = p.Check(ctx)
		for _, f := range p.Forms {
			if f.Write != nil {
				_ = f.Write(ctx, io.Discard)
			}
		}
	}
	if places, err := d.AssetIndex(ctx); err == nil {
		_, _, _ = places.AssetsOf(ctx, []*model.Node{d.Root()})
	}
	if q, err := find.NewQuery("a"); err == nil {
		_, _ = find.Filter(ctx, d.Root(), q.Match, 100, find.FilterProgress{})
	}
}

func TestFilesThatChangeWhileTheyAreRead(t *testing.T) {
	sparser := int64(6) // later reads are like earlier ones
	if testing.Short() {
		sparser = 1
	}
	files := formatstest.Files(t)
	maps.DeleteFunc(files, func(name string, _ []byte) bool { // one of each generation is enough
		return strings.HasPrefix(name, "package-") && name != "package-1.2.casset" ||
			strings.HasPrefix(name, "bundle-") && name != "bundle-2.0.casset" && name != "bundle-3.0.casset" ||
			strings.HasPrefix(name, "scene ") && name != "scene 1.0.gpb" && name != "scene 1.5.gpb"
	})
	for name, b := range files {
		other := bytes.Clone(b)
		for i := range other {
			other[i] ^= 0x55
		}
		cut := append(bytes.Clone(b[:len(b)/2]), bytes.Repeat([]byte{0xff}, len(b)-len(b)/2)...)
		for what, is := range map[string][]byte{"gone": nil, "another": other, "half": cut} {
			t.Run(name+" "+what, func(t *testing.T) {
				t.Parallel()
				for reads := int64(0); reads < 600; reads += 1 + reads/sparser {
					c := &changing{was: b, is: is}
					c.reads.Store(reads)
					assert.NotPanics(t, func() {
						d, err := formats.Opener{}.Open(t.Context(), model.NewSource(name, c, int64(len(b))))
						if err == nil {
							visitAll(t.Context(), d)
						}
					}, "after %d reads", reads)
					if t.Failed() {
						return
					}
				}
			})
		}
	}
}
