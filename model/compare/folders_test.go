package compare_test

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/compare"
	"assay/model/folder"
	"assay/model/modeltest"
)

func TestFoldersPairsFilesByNameAndContent(t *testing.T) {
	old, new := modeltest.Versions(t)
	files, err := compare.Folders(context.Background(), old, new, nil, nil)
	require.NoError(t, err)
	for i := range files {
		files[i].OldTime, files[i].NewTime = time.Time{}, time.Time{}
	}
	assert.Equal(t, []compare.File{
		{Name: "came", OldSize: -1, NewSize: 5, Status: compare.Added},
		{Name: "gone", OldSize: 4, NewSize: -1, Status: compare.Removed},
		{Name: "is/now", OldName: "was", OldSize: 17, NewSize: 17, Status: compare.Moved},
		{Name: "same", OldSize: 4, NewSize: 4, Status: compare.Same},
		{Name: "sub/byte", OldSize: 6, NewSize: 6, Status: compare.Changed, FirstDifference: 3},
		{Name: "sub/longer", OldSize: 5, NewSize: 7, Status: compare.Changed},
	}, files)
	_, err = compare.Folders(context.Background(), filepath.Join(old, "nothing"), new, nil, nil)
	assert.Error(t, err)
	ended, end := context.WithCancel(context.Background())
	end()
	_, err = compare.Folders(ended, old, new, nil, nil)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestFoldersListFilesFirst(t *testing.T) {
	old, new := modeltest.Versions(t)
	pending := map[string]bool{}
	files, err := compare.Folders(t.Context(), old, new, func(files []compare.File) {
		assert.Len(t, files, 7)
		for _, f := range files {
			pending[f.Name] = f.Pending
		}
	}, nil)
	require.NoError(t, err)
	assert.Equal(t, map[string]bool{"came": false, "gone": false, "is/now": false, "was": false, "same": true,
		"sub/byte": true, "sub/longer": false}, pending)
	for _, f := range files {
		assert.False(t, f.Pending)
	}
}

func TestFoldersPairsRenamedAndEditedFiles(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		text.WriteString(strings.Repeat(string(rune('a'+i%26)), i%7+1) + " is line number " + string(rune('0'+i%10)) +
			"\n")
	}
	old := modeltest.Folder(t, map[string]string{"old.txt": text.String() + "the end",
		"other.txt": strings.Repeat("something else ", 50)})
	new := modeltest.Folder(t, map[string]string{"new.txt": "a beginning " + text.String() + "the last end"})
	files, err := compare.Folders(t.Context(), old, new, nil, nil)
	require.NoError(t, err)
	require.Len(t, files, 2)
	assert.Equal(t, compare.Changed, files[0].Status)
	assert.Equal(t, "old.txt", files[0].OldName)
	assert.Equal(t, compare.Removed, files[1].Status)
}

func TestFoldersPairsNamesThatDifferInCase(t *testing.T) {
	old := modeltest.Folder(t, map[string]string{"Art/Rock.png": "1", "u\u0308.bin": "1"})
	new := modeltest.Folder(t, map[string]string{"art/rock.PNG": "22", "\u00fc.bin": "333", "new.bin": "4444"})
	files, err := compare.Folders(t.Context(), old, new, nil, nil)
	require.NoError(t, err)
	var got []string
	for _, f := range files {
		got = append(got, f.Status.String()+" "+f.OldName+" "+f.Name)
	}
	assert.ElementsMatch(t, []string{"changed Art/Rock.png art/rock.PNG", "changed u\u0308.bin \u00fc.bin",
		"added  new.bin"}, got)
}

func TestFoldersPairsMovedFilesByName(t *testing.T) {
	old := modeltest.Folder(t, map[string]string{"models/duck.gpb": "1", "a/twice.bin": "1", "b/twice.bin": "11"})
	new := modeltest.Folder(t, map[string]string{"res/Duck.gpb": "22", "c/twice.bin": "333"})
	files, err := compare.Folders(t.Context(), old, new, nil, nil)
	require.NoError(t, err)
	var got []string
	for _, f := range files {
		got = append(got, f.Status.String()+" "+f.OldName+" "+f.Name)
	}
	assert.ElementsMatch(t, []string{"changed models/duck.gpb res/Duck.gpb", "removed  a/twice.bin",
		"removed  b/twice.bin", "added  c/twice.bin"}, got, "ambiguous names are not paired")
}

func TestFoldersReportsFilesThatCannotBeCompared(t *testing.T) {
	old, new := modeltest.Folder(t, map[string]string{"file": "x"}), modeltest.Folder(t, map[string]string{"file": "x"})
	for _, root := range []string{old, new} {
		modeltest.Symlink(t, "file", filepath.Join(root, "same link"))
	}
	modeltest.Symlink(t, "nowhere", filepath.Join(new, "broken"))
	files, err := compare.Folders(t.Context(), old, new, nil, nil)
	require.NoError(t, err)
	require.Len(t, files, 3)
	assert.Equal(t, "this is a link to nowhere, which does not exist", files[0].Problem)
	assert.Equal(t, compare.Added, files[0].Status)
	assert.Equal(t, compare.Same, files[2].Status)
}

func TestAFolderComparisonIsADocumentOfAssets(t *testing.T) {
	old, new := modeltest.Versions(t)
	files, err := compare.Folders(t.Context(), old, new, nil, nil)
	require.NoError(t, err)
	known := map[string]compare.ContentResult{"sub/longer": {Format: "text", Summary: "1 line added"}}
	d := compare.FolderDocument([2]string{old, new}, files,
		func(name string) compare.ContentResult { return known[name] })
	table, err := d.Tables[0].Open(t.Context())
	require.NoError(t, err)
	var rows [][]any
	for i := range d.Payloads.Len() {
		row := []any{d.Payloads.At(i).Name}
		for c, column := range table.Columns {
			if column.Type != "time" {
				row = append(row, table.Cell(int64(i), c))
			}
		}
		rows = append(rows, row)
	}
	assert.Equal(t, [][]any{
		{"came", "added", nil, nil, int64(5), "added"},
		{"gone", "removed", nil, int64(4), nil, "removed"},
		{"is/now", "renamed from was", nil, int64(17), int64(17), "moved"},
		{"same", "same bytes", nil, int64(4), int64(4), "same"},
		{"sub/byte", "first difference at 0x3", nil, int64(6), int64(6), "changed"},
		{"sub/longer", "1 line added", "text", int64(5), int64(7), "changed"},
	}, rows)

	assert.Equal(t, filepath.Join(old, "gone"), folder.PathOf(d, 1), "a removed file has its old path")
	r, err := d.Payloads.At(5).Open(t.Context())
	require.NoError(t, err)
	defer r.Close()
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, "longer!", string(b))
}

func TestFileChangeIsAShortText(t *testing.T) {
	for want, f := range map[string]compare.File{
		"it cannot be read":            {Problem: "it cannot be read"},
		"not compared yet":             {Pending: true},
		"moved from x/a; 1 line added": {OldName: "x/a", Name: "a", OldSize: 1, NewSize: 2},
		"renamed from a; 1 line added": {OldName: "a", OldSize: 1, NewSize: 2},
		"+1 byte":                      {OldSize: 1, NewSize: 2},
		"-1,000 bytes":                 {OldSize: 1001, NewSize: 1},
	} {
		summary := ""
		if f.OldName != "" {
			summary = "1 line added"
		}
		f.Status = compare.Changed
		assert.Equal(t, want, f.Change(summary))
	}
}
