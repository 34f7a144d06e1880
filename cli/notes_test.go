package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/cli"
	"assay/model/notes"
)

func TestNotesAreListedAndImported(t *testing.T) {
	folder := t.TempDir()
	store := notes.StoreIn(filepath.Join(folder, "notes"))
	one, two := document("one", "some text"), document("two", "another text")
	d := one()
	c, err := notes.NewNote(t.Context(), d, d.Root().Child(0), nil)
	require.NoError(t, err)
	c.Put[0].Color, c.Put[0].Text = notes.Blue, "look\nhere"
	_, err = store.Apply(c)
	require.NoError(t, err)

	run := func(store *notes.Store, file string, o cli.NotesOptions) (status int, out, messages string) {
		r, printed, reported := files{"one": one, "two": two}.runner()
		status = r.Notes(t.Context(), store, file, o)
		return status, printed.String(), reported.String()
	}
	status, out, _ := run(store, "one", cli.NotesOptions{})
	assert.Equal(t, cli.ExitOK, status)
	assert.Equal(t, "0x0 +9  blue    /field  look\\nhere\n", out)
	status, out, _ = run(store, "", cli.NotesOptions{})
	assert.Equal(t, cli.ExitOK, status)
	assert.Equal(t, "one, 9 bytes\n  0x0 +9  blue    /field  look\\nhere\n", out)
	status, out, _ = run(store, "two", cli.NotesOptions{})
	assert.Equal(t, cli.ExitOK, status)
	assert.Empty(t, out)
	status, _, _ = run(store, "three", cli.NotesOptions{})
	assert.Equal(t, cli.ExitError, status)

	_, out, _ = run(store, "two", cli.NotesOptions{JSON: true})
	assert.JSONEq(t, `{"contents": []}`, out)
	_, out, _ = run(store, "one", cli.NotesOptions{JSON: true})
	exported := filepath.Join(folder, "notes.json")
	require.NoError(t, os.WriteFile(exported, []byte(out), 0o600))
	other := notes.StoreIn(filepath.Join(folder, "other"))
	status, _, messages := run(other, "", cli.NotesOptions{Import: exported})
	assert.Equal(t, cli.ExitOK, status)
	assert.Equal(t, "imported 1 note on 1 file\n", messages)
	_, again, _ := run(other, "", cli.NotesOptions{JSON: true})
	assert.Equal(t, out, again)

	bad := filepath.Join(folder, "bad.json")
	require.NoError(t, os.WriteFile(bad, []byte(`{"contents":[{"size":-1}]}`), 0o600))
	status, _, messages = run(other, "", cli.NotesOptions{Import: bad})
	assert.Equal(t, cli.ExitProblems, status)
	assert.Contains(t, messages, "skipped 1 note")
	for file, from := range map[string]string{"one": exported, "": filepath.Join(folder, "none")} {
		status, _, _ = run(other, file, cli.NotesOptions{Import: from})
		assert.Equal(t, cli.ExitError, status)
	}
	require.NoError(t, os.WriteFile(filepath.Join(store.Path(), "1-x.json"), []byte("{"), 0o600))
	status, _, messages = run(store, "", cli.NotesOptions{})
	assert.Equal(t, cli.ExitProblems, status)
	assert.Contains(t, messages, "cannot be read")
}
