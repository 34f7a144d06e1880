package doc_test

import (
	"bytes"
	"errors"
	"io"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"

	"assay/model"
)

// disk is bytes that cannot be read while it is broken.
type disk struct {
	io.ReaderAt
	broken atomic.Bool
}

func (d *disk) ReadAt(p []byte, off int64) (int, error) {
	if d.broken.Load() {
		return 0, errors.New("input/output error")
	}
	return d.ReaderAt.ReadAt(p, off)
}

func TestAReadThatFailsIsTold(t *testing.T) {
	d := &disk{ReaderAt: bytes.NewReader(make([]byte, 64))}
	root := &model.Node{Type: "Root", Span: model.Span{Size: 64}}
	root.SetChildren(model.List{{Name: "a", Type: "A", Span: model.Span{Size: 64}}})
	document := model.NewDocument(model.NewSource("game.bin", d, 64), "test", "1", root)
	s := show(t, document)
	s.ToggleProblems()
	assert.Contains(t, labels(s), "No problems found: 64 of 64 bytes decoded.")
	assert.Zero(t, s.Report().Count[model.Error])
	d.broken.Store(true)
	_, err := document.Source.ReadAt(make([]byte, 8), 16)
	assert.Error(t, err)
	_, err = document.Source.ReadAt(make([]byte, 8), 24)
	assert.Error(t, err)
	r := s.Report()
	assert.Equal(t, 1, r.Count[model.Error], "once")
	assert.Equal(t, model.Error, r.Worst)
	assert.Equal(t, model.Span{Offset: 16, Size: 8}, r.Problems[0].Span)
	assert.Contains(t, r.Problems[0].Message, "cannot read 8 bytes at 0x10: input/output error")
	assert.Len(t, s.notices, 1)
	assert.Contains(t, s.notices[0].Text,
		"game.bin: cannot read 8 bytes at 0x10: input/output error. What is shown")
	assert.NotContains(t, labels(s), "No problems found: 64 of 64 bytes decoded.")
}

// labels returns the texts that are shown.
func labels(s *shown) (all []string) {
	for _, o := range test.LaidOutObjects(s.Content()) {
		if l, ok := o.(*widget.Label); ok && l.Visible() {
			all = append(all, l.Text)
		}
	}
	return all
}
