package kaitai

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zlib"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// hostile are descriptions that have more to read than any budget allows.
var hostile = map[string]struct {
	text, path, rule string
}{
	"objects of no bytes": {"seq: [{id: a, type: t(40)}]\ntypes: {t: {params: [{id: n, type: s4}], " +
		"seq: [{id: x, type: t(n - 1), if: n > 0}, {id: y, type: t(n - 1), if: n > 0}]}}", "/a/x", "test::t"},
	"lists of no bytes": {"seq: [{id: a, type: t(4)}]\ntypes: {t: {params: [{id: n, type: s4}], " +
		"seq: [{id: x, type: t(n - 1), if: n > 0, repeat: expr, repeat-expr: 60000}]}}", "/a/x/", "test::t"},
	"lists in lists": {"instances:\n  a0: {value: '[1,2,3,4]'}\n" + nestedLists(50), "/", "test::a"},
	"the file in each element": {"seq: [{id: a, type: t, repeat: eos}]\ntypes: {t: {seq: [{id: b, type: u1}], " +
		"instances: {all: {io: _root._io, pos: 0, type: t, repeat: eos}, n: {value: 'all.size + all[0].b'}}}}", "/a/", "test::t"},
	"processes": {"seq: [{id: a, type: u1}]\ninstances:\n" + processInstances(4000), "/", "test::p"},
}

// nestedLists returns n instances, each a list of the one before it four times.
func nestedLists(n int) string {
	var text strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&text, "  a%d: {value: '[a%[2]d, a%[2]d, a%[2]d, a%[2]d]'}\n", i, i-1)
	}
	return text.String()
}

// processInstances returns n instances, each with another copy of the bytes of the file.
func processInstances(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "  p%d: {pos: 0, size-eos: true, process: xor(1)}\n", i)
	}
	return text.String()
}

// TestHostileDescriptionsStop tests that reading stops with one problem, which has the path and the rule, and keeps
// what was read.
func TestHostileDescriptionsStop(t *testing.T) {
	file := make([]byte, 40_000)
	for name, test := range hostile {
		doc, err := describe(t, test.text).Open(t.Context(), model.NewSource(name, bytes.NewReader(file),
			int64(len(file))))
		require.NoError(t, err, name)
		report, err := doc.Check(t.Context(), nil)
		require.NoError(t, err, name)
		var stopped []model.Problem
		for _, p := range report.Problems {
			if strings.Contains(p.Message, "reading stopped") {
				stopped = append(stopped, p)
			}
		}
		require.Len(t, stopped, 1, name)
		assert.Contains(t, stopped[0].Path, test.path, name)
		assert.Contains(t, stopped[0].Message, "the last rule is "+test.rule, name)
		assert.NotZero(t, doc.Root().Len(), name)
		var text bytes.Buffer
		require.NoError(t, doc.Outline(t.Context(), &text, report, model.OutlineOptions{Depth: 3}), name)
		assert.Contains(t, text.String(), "reading stopped", name)
	}
}

func TestAllWorkOnValuesTakesSteps(t *testing.T) {
	const size, count = 60_000, 20
	flags := strings.Builder{}
	for i := range 2000 {
		fmt.Fprintf(&flags, "{id: f%d, type: b1, if: false}, ", i)
	}
	for name, instance := range map[string]string{
		"lists":           "value: _root.l == _root.b",
		"limits":          "value: _root.b, valid: {min: _root.b}",
		"operands":        "value: '" + strings.Repeat("not true or ", 900) + "true'",
		"fields":          "value: '_root" + strings.Repeat("._root", 1000) + ".a[0].x'",
		"a list as a key": "io: _root._io, pos: 0, size: 1, process: xor(_root.l)",
		"no terminator":   "io: _root._io, pos: 30000, type: strz, encoding: UTF-8",
		"contents":        "io: _root._io, pos: 0, contents: " + strings.Repeat("y", 50_000),
		"a bomb":          "io: _root._io, pos: 0, size: 20000, process: zlib",
		"flags":           "value: 1",
	} {
		text := fmt.Sprintf("seq: [{id: a, type: t, repeat: expr, repeat-expr: %d}]\n"+
			"types: {f: {seq: [%s]}, t: {-webide-representation: '{f:flags}', seq: [{id: x, type: u1}, {id: f, type: f}], instances: {v: {%s}}}}\n"+
			"instances: {b: {pos: 0, size-eos: true}, l: {pos: 0, type: u1, repeat: eos}}", count, flags.String(), instance)
		if name != "flags" {
			text = strings.Replace(text, "-webide-representation: '{f:flags}', ", "", 1)
			text = strings.Replace(text, ", {id: f, type: f}", "", 1)
		}
		var file bytes.Buffer
		z := zlib.NewWriter(&file)
		_, err := z.Write(make([]byte, 17<<20))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		file.Write(bytes.Repeat([]byte("x"), size-file.Len()))
		doc, err := describe(t, text).Open(t.Context(), model.NewSource(name, bytes.NewReader(file.Bytes()), size))
		require.NoError(t, err, name)
		doc.Budget.Restart()
		for i := range count {
			n := doc.Root().Child(0).Child(i)
			_, _ = n.Label(), n.Len()
		}
		assert.Greater(t, doc.Budget.(*budget).steps.Load(), int64(count*1000), name)
	}
}

// TestSmallRecordsFitTheBudget tests that a file of records of one byte, with an instance each, is read completely at
// any size.
func TestSmallRecordsFitTheBudget(t *testing.T) {
	const size = 50_000
	doc, err := describe(t, "seq: [{id: b, type: t, repeat: eos}]\ntypes: {t: {seq: [{id: x, type: u1}], "+
		"instances: {double: {value: x * 2}}}}").Open(t.Context(), model.NewSource("x", bytes.NewReader(make([]byte, size)), size))
	require.NoError(t, err)
	doc.Budget.Restart() // opening reads some of them, whatever the size of the file
	_, err = doc.Check(t.Context(), nil)
	require.NoError(t, err)
	assert.Less(t, doc.Budget.(*budget).steps.Load(), int64(stepsPerByte*size))
}

func TestBudgetIsRefilledAfterAWhile(t *testing.T) {
	now := time.Unix(0, 0)
	b := newBudget(0)
	b.now = func() time.Time { return now }
	b.Restart()
	f := newObject(&objectType{Name: "t"}, nil, nil, nil).field(nil)
	require.NoError(t, b.spend(f, minSteps))
	require.ErrorIs(t, b.spend(f, 1), errSpent)
	require.NotNil(t, b.Stopped())
	now = now.Add(refillAfter + 1)
	require.NoError(t, b.spend(f, 1))
	assert.Nil(t, b.Stopped())
}

// cancelsAt is a file whose reader cancels a context when bytes past an offset are read.
type cancelsAt struct {
	io.ReaderAt
	offset int64
	cancel func()
}

func (c cancelsAt) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) > c.offset {
		c.cancel()
	}
	return c.ReaderAt.ReadAt(b, at)
}

// TestOpenEndsWithItsContext tests that opening ends soon after its context, also within one attribute.
func TestOpenEndsWithItsContext(t *testing.T) {
	for _, name := range []string{"objects of no bytes", "lists in lists"} {
		ctx, cancel := context.WithCancel(t.Context())
		src := model.NewSource(name, cancelsAt{bytes.NewReader(make([]byte, 16)), 0, cancel}, 16)
		text := strings.Replace(hostile[name].text, "seq: [{", "seq: [{id: first, type: u1}, {", 1)
		if !strings.Contains(text, "first") {
			text = "seq: [{id: first, type: u1}]\n" + text
		}
		_, err := describe(t, text).Open(ctx, src)
		assert.ErrorIs(t, err, context.Canceled, name)
		cancel()
	}
}

// TestWalksEndWithTheirContexts tests that walks end soon after their contexts, also within one instance or element,
// with the error of the context.
func TestWalksEndWithTheirContexts(t *testing.T) {
	const size = 1 << 20
	far := "pos: 1000000, type: u1"
	for name, text := range map[string]string{
		"an instance": "instances:\n  far: {" + far + "}\n  a0: {value: '[far,2,3,4]'}\n" + nestedLists(50),
		"elements": "seq: [{id: b, type: u1, repeat: expr, repeat-expr: 500000}, {id: a, type: t, repeat: expr, repeat-expr: 500}]\n" +
			"types: {t: {instances: {far: {io: _root._io, " + far + "}, all: {value: 'far + _root.b.max'}}}}",
		"objects": "seq: [{id: a, type: e, repeat: expr, repeat-expr: 20}]\ntypes: {e: {instances: {far: {" + far + "}, o: {type: t(40)}}}, " +
			"t: {params: [{id: n, type: s4}], seq: [{id: x, type: t(n - 1), if: n > 0}, {id: y, type: t(n - 1), if: n > 0}]}}",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		file := cancelsAt{bytes.NewReader(make([]byte, size)), 900_000, cancel}
		doc, err := describe(t, text).Open(t.Context(), model.NewSource(name, file, size))
		require.NoError(t, err, name)
		walks := map[string]func(context.Context) error{
			"check": func(ctx context.Context) error { _, err := doc.Check(ctx, nil); return err },
			"dump":  func(ctx context.Context) error { return doc.Dump(ctx, io.Discard, new(model.Report)) },
			"tree": func(ctx context.Context) error {
				return doc.Outline(ctx, io.Discard, new(model.Report), model.OutlineOptions{Depth: -1})
			},
		}
		for verb, walk := range walks {
			doc.Budget.Restart()
			assert.ErrorIs(t, walk(ctx), context.Canceled, "%s, %s", name, verb)
			assert.Nil(t, doc.Stopped(), "%s, %s: reading ended before the budget did", name, verb)
		}
	}
}

// TestCanceledWalkDoesNotStopAnother also tests that nodes read while all walks were canceled are read again.
func TestCanceledWalkDoesNotStopAnother(t *testing.T) {
	b := newBudget(0)
	f := newObject(&objectType{Name: "t"}, nil, nil, nil).field(nil)
	ctx, cancel := context.WithCancel(t.Context())
	endFirst := b.Until(ctx)
	endSecond := b.Until(t.Context())
	cancel()
	require.NoError(t, b.spend(f, 1))
	endSecond()
	require.Eventually(t, func() bool { return b.spend(f, 1) != nil }, time.Minute, time.Millisecond)
	reads := 0
	node := b.onceNode(func() *model.Node { reads++; return new(model.Node) })
	_, _ = node(), node()
	assert.Equal(t, 2, reads)
	endFirst()
	_, _ = node(), node()
	assert.Equal(t, 3, reads)
	assert.NoError(t, b.spend(f, 1))
}
