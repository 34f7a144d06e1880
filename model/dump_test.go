package model_test

import (
	"encoding/json"
	"io"
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
