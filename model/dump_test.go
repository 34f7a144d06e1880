package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// endless is an array with more numbers than a dump may have.
type endless struct{}

func (endless) Len() int64 { return 1 << 50 }

func (endless) Slice(_, n int64) ([]any, error) {
	numbers := make([]any, n)
	for i := range numbers {
		numbers[i] = uint64(1 << 63)
	}
	return numbers, nil
}

// The dump has a message that it ends early.
func TestEndlessDumpIsCutToValidJSON(t *testing.T) {
	root := &model.Node{Type: "t"}
	list := &model.Node{Name: "list"}
	list.SetChildren(model.List{{Name: "a", Value: endless{}}, {Name: "b", Value: uint64(1)}})
	root.SetChildren(model.List{list})
	d := model.NewDocument(model.NewSource("x", strings.NewReader(""), 0), "test", "", root)
	var first, last strings.Builder
	out := writerFunc(func(b []byte) (int, error) {
		if first.Len() < 1000 {
			first.Write(b[:min(len(b), 1000)])
		}
		last.Reset()
		return last.Write(b)
	})
	report := new(model.Report)
	require.NoError(t, d.Dump(t.Context(), out, report))
	assert.True(t, report.Bad())
	assert.Contains(t, first.String(), `"name":"a"`)
	assert.True(t, strings.HasSuffix(last.String(), `"stopped":"the dump is too long for a file of this size; the rest is not written"}}`+"\n"))

	reader, writer := io.Pipe()
	go func() { writer.CloseWithError(d.Dump(t.Context(), writer, &model.Report{})) }()
	for decoder := json.NewDecoder(reader); ; {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
	}
}

type writerFunc func(b []byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func TestDumpFormatIsStable(t *testing.T) {
	bad := leaf("text", 8, 4, "a\uFFFD\"\n")
	bad.SetRaw([]byte{'a', 0xff, '"', '\n'})
	bad.Warnf(model.Warning, bad.Span, "not UTF-8")
	enum := leaf("kind", 12, 1, uint64(4))
	enum.Symbols = model.Symbol("TRIANGLES")
	d := document(100,
		leaf("big", 0, 8, uint64(math.MaxUint64)), bad, enum,
		leaf("small", 13, 8, int64(math.MinInt64)),
		leaf("floats", 21, 20, model.Scalars{float32(0.1), float32(math.MaxFloat32), math.NaN(), math.Inf(-1),
			float32(math.Inf(1))}),
		leaf("none", 41, 1, model.None{}),
		leaf("block", 42, 8, model.Blob{Source: model.NewSource("b", bytes.NewReader([]byte("abc")), 3),
			Span: model.Span{Size: 3}}),
		tree("list", 50, 50, leaf("0", 50, 50, nil)))
	var out bytes.Buffer
	require.NoError(t, d.Dump(context.Background(), &out, check(t, d)))
	assert.Contains(t, out.String(), `"value":18446744073709551615`)
	assert.Contains(t, out.String(), `"value":-9223372036854775808`)
	assert.Contains(t, out.String(), `"value":[0.1,3.4028234663852886e+38,"NaN","-Inf","Inf"]`)
	assert.Contains(t, out.String(), `"value":"none"`)
	assert.Contains(t, out.String(),
		`{"bytes":3,"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}`)
	assert.Contains(t, out.String(), `"symbol":"TRIANGLES"`)
	assert.Contains(t, out.String(), `"raw":"61ff220a"`)
	var got struct {
		Format   string
		Coverage struct{ Accounted int64 }
		Problems []struct{ Severity, Path, Message string }
		Root     struct{ Children []json.RawMessage }
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	assert.EqualValues(t, 100, got.Coverage.Accounted)
	assert.Len(t, got.Root.Children, 8)
	require.Len(t, got.Problems, 1)
	assert.Equal(t, "/text", got.Problems[0].Path)
}
