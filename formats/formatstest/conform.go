package formatstest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// Conform holds a document to what must be true of every one, sound or damaged: every byte is accounted for or in a
// gap, parents hold their children, elements read quietly are those that are recorded, and the dump, the paths and the
// offsets agree.
func Conform(t *testing.T, d *model.Document) {
	t.Helper()
	report, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	covers(t, d, report)
	nests(t, d)
	readsAlike(t, d)
	agrees(t, d, report)
}

// Sound demands that a report explains all of its document and has nothing to say but notes.
func Sound(t testing.TB, d *model.Document, r *model.Report) {
	t.Helper()
	require.Empty(t, r.Gaps)
	require.Empty(t, r.Overlaps)
	require.Equal(t, d.Source.Size(), r.Accounted)
	for _, p := range r.Problems {
		require.Equal(t, model.Note, p.Severity, "%s: %s", p.Path, p.Message)
	}
}

func covers(t *testing.T, d *model.Document, r *model.Report) {
	t.Helper()
	sum := r.Accounted
	for _, g := range r.Gaps {
		sum += g.Size
	}
	assert.Equal(t, d.Source.Size(), sum, "accounted bytes and gaps are the file")
}

// nests checks that what a node has is inside of it. An element of a list may lie anywhere in the file, but its list
// holds it.
func nests(t *testing.T, d *model.Document) {
	t.Helper()
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		if p := n.Parent; p != nil && n.Size > 0 && n.Type != model.Gap && n.Type != model.Gap+"[]" {
			assert.True(t, p.Offset <= n.Offset && n.End() <= p.End(), "%s at %v is not in %s at %v", n.PathText(),
				n.Span,
				p.PathText(), p.Span)
		}
		return !t.Failed(), nil
	}, nil))
}

// readsAlike checks that the Readers of long lists decode what Make does, that their lines are those of the nodes, and
// that an element is clean exactly if its nodes have nothing to remark and own its bytes.
func readsAlike(t *testing.T, d *model.Document) {
	t.Helper()
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		e, ok := n.Children().(*model.Elements)
		if !ok || e.Reader == nil {
			return !t.Failed(), nil
		}
		r := e.Reader()
		for i := range e.Count {
			made := n.Child(len(e.First) + i)
			span, clean := r.Clean(i)
			if clean {
				assert.Equal(t, made.Span, span, made.PathText())
			}
			assert.Equal(t, sound(made), clean, "%s: %v", made.PathText(), describe(made))
			node := r.Node(i)
			node.Name, node.Index, node.Parent = made.Name, made.Index, n
			assert.Equal(t, describe(made), describe(node))
			line := r.Line(i)
			line.Name, line.Index, line.Parent = made.Name, made.Index, n
			assert.Equal(t, describeLine(made), describeLine(line))
			if t.Failed() {
				break
			}
		}
		return !t.Failed(), nil
	}, nil))
}

// sound reports whether the leaves of a node own every byte of it once, none outside, without problems.
func sound(n *model.Node) bool {
	ok := true
	owned := make(map[int64]bool)
	_ = model.Walk(n, func(m *model.Node) (bool, error) {
		ok = ok && len(m.Problems()) == 0
		if m.Leaf() {
			for b := m.Offset; b < m.End() && ok; b++ {
				ok = n.Contains(b) && !owned[b]
				owned[b] = true
			}
		}
		return ok, nil
	}, nil)
	return ok && int64(len(owned)) == n.Size
}

// describeLine writes what stands in the line of a node.
func describeLine(n *model.Node) string {
	return fmt.Sprintf("%s %s %q %v %s %v", n.PathText(), n.Type, n.Key, n.Span, n.ValueText(), n.Problems())
}

// describe writes everything about a node and what is below it.
func describe(n *model.Node) string {
	var b bytes.Buffer
	_ = model.Walk(n, func(m *model.Node) (bool, error) {
		b.WriteString(describeLine(m) + "\n")
		return true, nil
	}, nil)
	return b.String()
}

// dumped is a node of a dump.
type dumped struct {
	Name, Type   string
	Offset, Size int64
	Children     []dumped
}

// agrees checks that every node of the dump is found by its path, and every leaf by its first byte.
func agrees(t *testing.T, d *model.Document, r *model.Report) {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, d.Dump(context.Background(), &out, r))
	var dump struct{ Root dumped }
	require.NoError(t, json.Unmarshal(out.Bytes(), &dump))
	var compare func(n *model.Node, want dumped)
	compare = func(n *model.Node, want dumped) {
		if t.Failed() {
			return
		}
		assert.Equal(t, want.Name, n.Name)
		assert.Equal(t, want.Type, n.Type)
		assert.Equal(t, model.Span{Offset: want.Offset, Size: want.Size}, n.Span)
		require.Len(t, want.Children, n.Len(), n.PathText())
		unique := make(map[string]bool)
		for i, w := range want.Children {
			c := n.Child(i)
			if !unique[w.Name] {
				unique[w.Name] = true
				assert.Equal(t, i, c.Index)
				found := n.Named(w.Name)
				require.NotNil(t, found, "%s has no %q", n.PathText(), w.Name)
				assert.Equal(t, c.Span, found.Span, found.PathText())
			}
			compare(c, w)
		}
		if n.Leaf() && n.Size > 0 && n.Type != model.Gap && len(r.Overlaps) == 0 {
			owner := d.Owner(n.Offset)
			require.NotNil(t, owner, n.PathText())
			assert.Equal(t, n.PathText(), owner.PathText())
		}
	}
	compare(d.Root(), dump.Root)
}
