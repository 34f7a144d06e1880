package formatstest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// Conform checks the properties that every document must have, sound or damaged, flat or nested thousands of levels
// deep: every byte is accounted for or in a gap, parents contain their children, elements read quietly equal the
// recorded ones, the leaves of the dump own the accounted bytes, and the dump, the paths and the offsets agree.
func Conform(t *testing.T, d *model.Document) {
	t.Helper()
	report, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	checkCoverage(t, d, report)
	checkNesting(t, d)
	checkReaders(t, d)
	var dump bytes.Buffer
	require.NoError(t, d.Dump(context.Background(), &dump, report))
	nodes := readDump(t, &dump)
	checkOwnedBytes(t, nodes, report)
	checkWalk(t, d, nodes, report)
}

// Sound requires that a report accounts for the whole document and has only notes.
func Sound(t testing.TB, d *model.Document, r *model.Report) {
	t.Helper()
	require.Empty(t, r.Gaps)
	require.Empty(t, r.Overlaps)
	require.Equal(t, d.Source.Size(), r.Accounted)
	for _, p := range r.Problems {
		require.Equal(t, model.Note, p.Severity, "%s: %s", p.Path, p.Message)
	}
}

func checkCoverage(t *testing.T, d *model.Document, r *model.Report) {
	t.Helper()
	sum := r.Accounted
	for _, g := range r.Gaps {
		sum += g.Size
	}
	assert.Equal(t, d.Source.Size(), sum, "accounted bytes and gaps are the file")
}

// checkNesting checks that nodes are within their parents. Nodes without bytes and gaps may be anywhere.
func checkNesting(t *testing.T, d *model.Document) {
	t.Helper()
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		p := n.Parent
		if p != nil && n.Size > 0 && n.Type != model.Gap && n.Type != model.Gap+"[]" &&
			(n.Offset < p.Offset || n.End() > p.End()) {
			assert.Fail(t, "a node is not in its parent", "%s at %v, %v", n.PathText(), n.Span, p.Span)
		}
		return !t.Failed(), nil
	}, nil))
}

// checkReaders checks that the Readers of long lists decode the same elements as Make, that their lines equal the
// lines of the nodes, and that an element is clean exactly if its nodes have no problems and own its bytes.
func checkReaders(t *testing.T, d *model.Document) {
	t.Helper()
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		e, ok := n.Children().(*model.Elements)
		if !ok || e.Reader == nil {
			return !t.Failed(), nil
		}
		r := e.Reader()
		for i := range e.Count {
			made := n.Child(len(e.First) + i)
			span, clean := r.CheckedSpan(i)
			if clean {
				assert.Equal(t, made.Span, span, made.PathText())
			}
			if isSound(made) != clean {
				assert.Fail(t, "a quiet reading and the nodes differ", "%s, clean: %v", made.PathText(), clean)
			}
			node := r.Node(i)
			node.Name, node.Index, node.Parent = made.Name, made.Index, n
			assert.Equal(t, describe(made), describe(node))
			line := r.NodeAlone(i)
			line.Name, line.Index, line.Parent = made.Name, made.Index, n
			assert.Equal(t, describeLine(made), describeLine(line))
			if t.Failed() {
				break
			}
		}
		return !t.Failed(), nil
	}, nil))
}

// isSound reports whether the leaves of a node own exactly its bytes, each once, without problems.
func isSound(n *model.Node) bool {
	ok := true
	var leaves []model.Span
	_ = model.Walk(n, func(m *model.Node) (bool, error) {
		ok = ok && len(m.Problems()) == 0
		if m.Leaf() && m.Size > 0 {
			ok = ok && n.Offset <= m.Offset && m.End() <= n.End()
			leaves = append(leaves, ownBytes(m.Span, m.Bits.Before > 0))
		}
		return ok, nil
	}, nil)
	once, total := sizes(leaves)
	return ok && once == n.Size && total == n.Size
}

// ownBytes returns the bytes of a leaf without the first if that is another bit field's.
func ownBytes(s model.Span, shares bool) model.Span {
	if shares {
		return model.Span{Offset: s.Offset + 1, Size: s.Size - 1}
	}
	return s
}

// sizes returns the number of covered bytes and the sum of the sizes: more if two have the same byte.
func sizes(spans []model.Span) (once, total int64) {
	slices.SortFunc(spans, func(a, b model.Span) int { return cmp.Compare(a.Offset, b.Offset) })
	end := int64(0)
	for _, s := range spans {
		once += max(0, s.End()-max(s.Offset, end))
		total += s.Size
		end = max(end, s.End())
	}
	return once, total
}

func describeLine(n *model.Node) string {
	return fmt.Sprintf("%s %s %q %v %s %v", n.Name, n.Type, n.Key, n.Span, n.ValueText(), n.Problems())
}

// describe returns a dump of a node and its descendants.
func describe(n *model.Node) string {
	var b bytes.Buffer
	_ = model.Walk(n, func(m *model.Node) (bool, error) {
		fmt.Fprintf(&b, "%s: %d\n", describeLine(m), m.Len())
		return true, nil
	}, nil)
	return b.String()
}

// checkOwnedBytes checks that the leaves of a dump own the bytes that the report accounts for, each once unless the
// report has an overlap.
func checkOwnedBytes(t *testing.T, nodes []dumped, r *model.Report) {
	t.Helper()
	var leaves []model.Span
	for _, n := range nodes[1:] { // the root owns nothing, also where it has no children
		if n.children == 0 && n.typ != model.Gap && n.span.Size > 0 {
			leaves = append(leaves, ownBytes(n.span, n.sharesByte))
		}
	}
	once, total := sizes(leaves)
	assert.Equal(t, r.Accounted, once, "the bytes that leaves of the dump own")
	if len(r.Overlaps) == 0 {
		assert.Equal(t, r.Accounted, total, "the sizes of these leaves, added up")
	}
}

// maxOwners is the maximum number of leaves that are found by first byte: the way to one that is deep down is long.
const maxOwners = 4000

// checkWalk checks that every node of the document is in the dump and is found by its name, and that leaves are found
// by their first byte: all in a small document, about maxOwners, evenly spread, in a large one.
func checkWalk(t *testing.T, d *model.Document, nodes []dumped, r *model.Report) {
	t.Helper()
	step, i := 1+len(nodes)/maxOwners, 0
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		require.Less(t, i, len(nodes), "the dump has fewer nodes than the document")
		want := nodes[i]
		assert.Equal(t, want, dumped{n.Name, n.Type, n.Span, n.Len(), n.Bits.Before > 0})
		named := make(map[string]bool)
		for k := range n.Len() {
			c := n.Child(k)
			assert.Equal(t, k, c.Index)
			if found := n.ChildNamed(c.Name); !named[c.Name] && assert.NotNil(t, found, c.Name) {
				assert.Equal(t, k, found.Index, c.Name)
			}
			named[c.Name] = true
		}
		if n.Leaf() && n.Size > 0 && n.Bits.Before == 0 && n.Type != model.Gap && len(r.Overlaps) == 0 && i%step == 0 {
			owner := d.Owner(n.Offset)
			require.NotNil(t, owner, n.PathText())
			assert.Equal(t, n.PathText(), owner.PathText())
		}
		i++
		return !t.Failed(), nil
	}, nil))
	if !t.Failed() {
		assert.Len(t, nodes, i, "the document has fewer nodes than the dump")
	}
}

// sweepShort is the number of steps of a sweep in a short run.
const sweepShort = 40

// Sweep yields the numbers below n: each cut of a file, each byte to damage. In a short run (go test -short) it yields
// some of them, from the first to the last.
func Sweep(n int) iter.Seq[int] {
	steps := n
	if testing.Short() {
		steps = min(n, sweepShort)
	}
	return func(yield func(int) bool) {
		for k := range steps {
			i := k
			if steps < n {
				i = k * (n - 1) / (steps - 1)
			}
			if !yield(i) {
				return
			}
		}
	}
}

// dumped is a node of a dump.
type dumped struct {
	name, typ  string
	span       model.Span
	children   int
	sharesByte bool // the first byte with another field
}

// jsonLevel is an object or a list of the JSON that is being read.
type jsonLevel struct {
	list bool
	node int    // the node of the object, or the parent of the listed nodes; -1 if neither
	key  string // of the member that is read next; empty: the key is next
}

// readDump returns the nodes of a dump, parents before children. Nodes may be nested deeper than json.Unmarshal reads.
func readDump(t *testing.T, dump io.Reader) (nodes []dumped) {
	t.Helper()
	r := json.NewDecoder(dump)
	r.UseNumber()
	open := []jsonLevel{{node: -1, key: "dump"}}
	for {
		token, err := r.Token()
		if errors.Is(err, io.EOF) {
			return nodes
		}
		require.NoError(t, err)
		top := &open[len(open)-1]
		switch token {
		case json.Delim('['):
			below := jsonLevel{list: true, node: -1}
			if top.key == "children" {
				below.node = top.node
			}
			open = append(open, below)
			continue
		case json.Delim('{'):
			below := jsonLevel{node: -1}
			if top.list && top.node >= 0 {
				nodes[top.node].children++
			}
			if top.key == "bits" {
				below.node = top.node
			}
			if top.list && top.node >= 0 || top.key == "root" {
				nodes, below.node = append(nodes, dumped{}), len(nodes)
			}
			open = append(open, below)
			continue
		case json.Delim(']'), json.Delim('}'):
			open = open[:len(open)-1]
			open[len(open)-1].key = ""
			continue
		}
		switch {
		case top.list:
		case top.key == "":
			top.key = token.(string)
		default:
			if top.node >= 0 {
				nodes[top.node].set(t, top.key, token)
			}
			top.key = ""
		}
	}
}

// set takes a member of a node.
func (d *dumped) set(t *testing.T, key string, value json.Token) {
	number := func() int64 {
		v, err := value.(json.Number).Int64()
		require.NoError(t, err)
		return v
	}
	switch key {
	case "name":
		d.name = value.(string)
	case "type":
		d.typ = value.(string)
	case "offset":
		d.span.Offset = number()
	case "size":
		d.span.Size = number()
	case "first": // bit, of a field that has no whole bytes
		d.sharesByte = number() > 0
	}
}

var update = flag.Bool("update", false, "rewrite the golden files")

// Golden holds how a file was made, and the whole dump of its document, to testdata/golden/NAME.json; go test -update
// writes that file.
func Golden(t *testing.T, name, made string, d *model.Document) {
	t.Helper()
	report, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	origin, err := json.Marshal(made)
	require.NoError(t, err)
	got := bytes.NewBufferString(`{"made":` + string(origin) + ",\n\"dump\":")
	require.NoError(t, d.Dump(context.Background(), got, report))
	got.WriteString("}\n")
	checkGolden(t, name+".json", got.String())
}

// Damaged is the document of a damaged file, and how the file was made.
type Damaged struct {
	Name, Made string
	Document   *model.Document
}

// GoldenProblems compares the problems of damaged files with testdata/golden/NAME.txt: how each file was made, its
// variant, its accounted bytes, and every problem. go test -update writes that file.
func GoldenProblems(t *testing.T, name string, files []Damaged) {
	t.Helper()
	var got strings.Builder
	for _, f := range files {
		d := f.Document
		report, err := d.Check(context.Background(), nil)
		require.NoError(t, err, f.Name)
		fmt.Fprintf(&got, "%s\n    made: %s\n    read as: %s", f.Name, f.Made, d.Variant)
		if d.Why != "" {
			got.WriteString(": " + d.Why)
		}
		fmt.Fprintf(&got, "\n    accounted: %d of %d bytes\n", report.Accounted, d.Source.Size())
		for _, p := range report.Problems {
			fmt.Fprintf(&got, "    %s: %s %s: %s\n", p.Severity, p.Path, p.Span, p.Message)
		}
		if report.Omitted > 0 {
			fmt.Fprintf(&got, "    and %d more\n", report.Omitted)
		}
		got.WriteString("\n")
	}
	checkGolden(t, name+".txt", got.String())
}

// checkGolden compares a text with a golden file, or writes that.
func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	golden := filepath.Join("testdata", "golden", strings.ReplaceAll(name, " ", "-"))
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(golden), 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err, "go test -update writes it")
	assert.Equal(t, string(want), got)
}
