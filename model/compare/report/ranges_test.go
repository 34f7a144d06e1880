package report_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/report"
	"assay/model/modeltest"
)

// unknown returns a document of an unknown format.
func unknown(name string, b []byte) *model.Document {
	all := model.Span{Size: int64(len(b))}
	return model.NewDocument(model.NewSource(name, bytes.NewReader(b), all.Size), "bytes", "",
		&model.Node{Type: "Bytes", Span: all})
}

func compared(t *testing.T, old, new []byte) *compare.Comparison {
	t.Helper()
	c, err := compare.Documents(t.Context(), unknown("old", old), unknown("new", new), compare.Options{}, nil)
	require.NoError(t, err)
	require.NoError(t, c.FindRanges(t.Context(), nil))
	return c
}

func random(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestReportListsTheRangesOfUnknownFiles(t *testing.T) {
	base := random(100_000, 1)
	new := bytes.Clone(base)
	copy(new[1000:], "ABCD")
	new = append(new[:50_000:50_000], append([]byte("twenty inserted byte"), new[50_000:]...)...)
	new = append(new[:70_020:70_020], new[70_030:]...)
	c := compared(t, base, new)
	var out bytes.Buffer
	require.NoError(t, report.Text(t.Context(), c, &out, report.Options{}))
	assert.Contains(t, out.String(), fmt.Sprintf("~ 0x3e8+4 changed: % x → 41 42 43 44\n", base[1000:1004]))
	assert.Contains(t, out.String(),
		"+ 0xc350+20 inserted at 0xc350: 74 77 65 6e 74 79 20 69 6e 73 65 72 74 65 64 20 …\n")
	assert.Contains(t, out.String(), fmt.Sprintf("- 0x11170+10 removed at 0x11184: % x\n", base[70_000:70_010]))
	for _, write := range []func() error{
		func() error { return report.Markdown(t.Context(), c, &out, report.Options{}) },
		func() error { return report.HTML(t.Context(), c, &out) }} {
		out.Reset()
		require.NoError(t, write())
		assert.Contains(t, out.String(), "inserted at 0xc350:")
	}

	// The ranges of the JSON, applied to the old file, result in the new one.
	out.Reset()
	require.NoError(t, report.JSON(t.Context(), c, &out))
	var written struct {
		MoreRanges int `json:"more_ranges"`
		Ranges     []struct {
			Status   string
			Old, New struct{ Offset, Size int }
			NewBytes string `json:"new_bytes"`
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &written), out.String())
	assert.Zero(t, written.MoreRanges)
	var made []byte
	at := 0
	for _, r := range written.Ranges {
		made = append(made, base[at:r.Old.Offset]...)
		made = append(made, new[r.New.Offset:r.New.Offset+r.New.Size]...)
		at = r.Old.Offset + r.Old.Size
		first, err := hex.DecodeString(r.NewBytes)
		require.NoError(t, err)
		assert.Equal(t, new[r.New.Offset:][:min(16, r.New.Size)], first)
	}
	assert.True(t, bytes.Equal(new, append(made, base[at:]...)))
}

func TestRangesOfAReportAreBounded(t *testing.T) {
	old := random(1_000_000, 2)
	new := bytes.Clone(old)
	for i := 0; i < len(new); i += 50 {
		new[i]++
	}
	c := compared(t, old, new)
	var out bytes.Buffer
	require.NoError(t, report.Text(t.Context(), c, &out, report.Options{All: true}))
	assert.Equal(t, 10_000, strings.Count(out.String(), " changed: "))
	assert.Contains(t, out.String(), "# 10000 more ranges are not listed")
	out.Reset()
	require.NoError(t, report.JSON(t.Context(), c, &out))
	assert.Contains(t, out.String(), `"more_ranges":10000`)
}

func TestReportListsRangesInABlock(t *testing.T) {
	file := func(blocks ...[]byte) *model.Document {
		var all []byte
		root := &model.Node{Type: "File"}
		src := new(model.Source)
		var nodes model.List
		for i, b := range blocks {
			s := model.Span{Offset: int64(len(all)), Size: int64(len(b))}
			all = append(all, b...)
			nodes = append(nodes, &model.Node{Name: fmt.Sprint("data", i), Type: "bytes", Span: s,
				Value: model.Blob{Source: src, Span: s}})
		}
		root.Span.Size = int64(len(all))
		*src = *model.NewSource("file", bytes.NewReader(all), root.Span.Size)
		root.SetChildren(nodes)
		return model.NewDocument(src, "made", "1", root)
	}
	a, b, c := random(100, 1), random(10_000, 2), random(500, 3)
	longer := append(bytes.Clone(b[:5000]), append([]byte("inserted"), b[5000:]...)...)
	longer[77]++
	found := modeltest.Compare(t, file(a, b, c), file(a, longer, random(600, 4)), compare.Options{})
	var out bytes.Buffer
	require.NoError(t, report.Text(t.Context(), found, &out, report.Options{}))
	assert.Contains(t, out.String(), fmt.Sprintf("~ /data1 [bytes] 10,000 → 10,008 bytes, 2 ranges of bytes differ; the first is at 0x4d\n"+
		"    ~ 0x4d+1 changed: %02x → %02x\n    + 0x1388+8 inserted at 0x1388: 69 6e 73 65 72 74 65 64\n", b[77],
		longer[77]))
	assert.Contains(t, out.String(), "~ /data2 [bytes] 500 bytes → 600 bytes (+100 bytes)\n#", "it is another one as a whole")
	out.Reset()
	require.NoError(t, report.JSON(t.Context(), found, &out))
	var written struct {
		Changes []struct {
			Path   string
			Ranges []struct {
				Status   string
				NewBytes string `json:"new_bytes"`
			}
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &written), out.String())
	require.Len(t, written.Changes, 2)
	require.Len(t, written.Changes[0].Ranges, 2)
	assert.Equal(t, "added", written.Changes[0].Ranges[1].Status)
	assert.Equal(t, hex.EncodeToString([]byte("inserted")), written.Changes[0].Ranges[1].NewBytes)
	assert.Empty(t, written.Changes[1].Ranges)

	many := bytes.Clone(b)
	for i := 0; i < len(many); i += 100 {
		many[i]++
	}
	out.Reset()
	compared := modeltest.Compare(t, file(b), file(many), compare.Options{})
	require.NoError(t, report.Text(t.Context(), compared, &out, report.Options{}))
	assert.Equal(t, 16, strings.Count(out.String(), " changed: "))
	assert.Contains(t, out.String(), "    ~ … 84 more ranges\n")
}

func TestReportStopsWithItsContext(t *testing.T) {
	c := modeltest.Compare(t, unknown("old", []byte("one file")), unknown("new", []byte("another file")),
		compare.Options{})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for name, write := range map[string]func(context.Context, *compare.Comparison, io.Writer) error{
		"HTML": report.HTML, "JSON": report.JSON,
		"Markdown": func(ctx context.Context, c *compare.Comparison, out io.Writer) error {
			return report.Markdown(ctx, c, out, report.Options{})
		},
		"text": func(ctx context.Context, c *compare.Comparison, out io.Writer) error {
			return report.Text(ctx, c, out, report.Options{})
		},
	} {
		assert.ErrorIs(t, write(ctx, c, io.Discard), context.Canceled, name)
	}
}
