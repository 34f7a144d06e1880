package doc

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// atLine is an error at the second line of a file.
type atLine struct{ file string }

func (e atLine) Error() string                     { return e.file + ":2: a key is expected" }
func (e atLine) Location() (file string, line int) { return e.file, 2 }

// describedFile is a document of one node with a description of a name.
func describedFile(file string) Selection {
	n := &model.Node{Type: "Made"}
	d := model.NewDocument(nil, "made", "", n)
	d.Description = &model.Description{Files: []string{file}, Text: func(string) string { return "a: 1\nb: 2" },
		Rule: func(*model.Node) (string, int, bool) { return file, 2, true }}
	return Selection{Document: d, Node: n}
}

func TestErrorStaysUntilDocumentChanges(t *testing.T) {
	test.NewTempApp(t)
	p := NewDescription(host.None{}, paint.NewStyle(), work.Inline(context.Background()))
	test.NewTempWindow(t, p.Content()).Resize(fyne.NewSize(300, 300))
	file := filepath.Join(t.TempDir(), "rules.ksy")
	require.NoError(t, os.WriteFile(file, []byte("a: 1\nwrong"), 0o600))
	s := describedFile(file)
	p.Select(s)
	assert.Equal(t, file, p.message.Text)

	p.Fail(atLine{file})
	assert.Contains(t, p.message.Text, "rules.ksy:2: a key is expected")
	p.Select(s)
	assert.Contains(t, p.message.Text, "a key is expected", "another node of the same document")
	p.Select(describedFile(file))
	assert.Equal(t, file, p.message.Text)

	require.NoError(t, os.Truncate(file, model.MaxDescription+1))
	p.Fail(atLine{file})
	assert.Contains(t, p.message.Text, "4194304 are allowed", "it is not read to show it")

	require.NoError(t, os.Remove(file))
	p.Fail(atLine{file})
	assert.Contains(t, p.message.Text, "no such file")
}
