package casset

import (
	"context"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/casset/cassettest"
	"assay/model"
)

func writeFile(t *testing.T, path string, b []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, b, 0o644))
}

func openFile(t *testing.T, path string) *model.Document {
	t.Helper()
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, src.Close()) })
	doc, err := openDocument(context.Background(), src, newBundleFiles())
	require.NoError(t, err)
	return doc
}

// A dependency is found beside the file, and in the project's folder, which the file's own name gives.
func TestDependenciesAreFound(t *testing.T) {
	for _, l := range cassettest.Layouts() {
		t.Run(l.String(), func(t *testing.T) {
			game := filepath.Join(t.TempDir(), "Project", "Content")
			far := func(name string) cassettest.Ref {
				return cassettest.Ref{Object: cassettest.ID(name + " object"), Bundle: cassettest.ID(name),
					Class:   "/Code/G.N",
					Package: name, Path: "Thing"}
			}
			c := &cassettest.Content{ID: cassettest.ID("/Game/Levels/One"), Name: "/Game/Levels/One",
				Dependencies: []cassettest.Dependency{{ID: cassettest.ID("/Game/Levels/Two"), Name: "/Game/Levels/Two"},
					{ID: cassettest.ID("/Game/Sky/Blue"), Name: "/Game/Sky/Blue"},
					{ID: cassettest.ID("/Game/No"), Name: "/Game/No"}},
				Objects: []cassettest.ObjectContent{{ID: cassettest.ID("o"), Class: "/Code/G.N", Path: "O", Name: "O",
					Fields: cassettest.Fields(
						"beside", far("/Game/Levels/Two"), "root", far("/Game/Sky/Blue"), "missing", far("/Game/No"))}}}
			for _, d := range c.Dependencies[:2] {
				writeFile(t, filepath.Join(game, d.Name[len("/Game/"):]+".casset"),
					cassettest.Write(l, &cassettest.Content{ID: d.ID, Name: d.Name}))
			}
			own := filepath.Join(game, "Levels", "One.casset")
			writeFile(t, own, cassettest.Write(l, c))
			doc := openFile(t, own)
			for field, want := range map[string]string{"beside": "Two.casset", "root": "../Sky/Blue.casset",
				"missing": ""} {
				link := node(t, doc, "/objects/0/fields/"+field).Link
				require.NotNil(t, link, field)
				assert.Equal(t, filepath.FromSlash(want), link.File, field)
				assert.NotEmpty(t, link.Key)
			}
			list, err := doc.Groups[2].Build(context.Background())
			require.NoError(t, err)
			if l < cassettest.Package11 { // they have no list
				require.Zero(t, list.Len())
				return
			}
			require.Equal(t, 3, list.Len())
			for i, want := range []string{"found", "found", "missing"} {
				assert.Equal(t, want, list.Child(i).Value, list.Child(i).Name)
			}
		})
	}
}

// ending is a context that ends after so many looks at it.
type ending struct {
	context.Context
	looks int
}

func (e *ending) Err() error {
	if e.looks--; e.looks < 0 {
		return context.Canceled
	}
	return nil
}

// Reading the UUIDs of a folder can be canceled; the next caller begins again.
func TestSearchForDependenciesCanBeCanceled(t *testing.T) {
	folder, id := t.TempDir(), cassettest.ID("/Game/Z")
	for i := range 10 {
		name := "F" + strconv.Itoa(i)
		writeFile(t, filepath.Join(folder, name+".casset"),
			cassettest.Write(cassettest.Bundle30, &cassettest.Content{ID: cassettest.ID(name)}))
	}
	writeFile(t, filepath.Join(folder, "Z.casset"), cassettest.Write(cassettest.Bundle30, &cassettest.Content{ID: id}))
	own := filepath.Join(folder, "own.casset")
	writeFile(t, own, cassettest.Write(cassettest.Bundle30,
		&cassettest.Content{Dependencies: []cassettest.Dependency{{ID: id}}}))
	doc := openFile(t, own)
	_, err := doc.Groups[2].Build(&ending{context.Background(), 5})
	require.ErrorIs(t, err, context.Canceled)
	list, err := doc.Groups[2].Build(context.Background())
	require.NoError(t, err)
	assert.Equal(t, "Z.casset", list.Child(0).Link.File)
}

// The bundles of a folder are not searched again for each file in it.
func TestSearchForBundlesIsShared(t *testing.T) {
	folder, now := t.TempDir(), time.Unix(1e9, 0)
	target := filepath.Join(folder, "target.casset")
	writeFile(t, target, cassettest.Write(cassettest.Bundle30, &cassettest.Content{ID: cassettest.ID("target")}))
	for _, name := range []string{"one.casset", "two.casset"} {
		writeFile(t, filepath.Join(folder, name), cassettest.Write(cassettest.Bundle30, oneObject("far",
			cassettest.Ref{Object: cassettest.ID("o"), Bundle: cassettest.ID("target"), Class: "/Code/G.N"})))
	}
	bundles := newBundleFiles()
	bundles.now = func() time.Time { return now }
	leadsTo := func(name string) string {
		src, err := model.OpenFile(filepath.Join(folder, name))
		require.NoError(t, err)
		defer src.Close()
		doc, err := openDocument(t.Context(), src, bundles)
		require.NoError(t, err)
		return node(t, doc, "/objects/0/fields/far").Link.File
	}
	assert.Equal(t, "target.casset", leadsTo("one.casset"))
	require.NoError(t, os.Remove(target))
	assert.Equal(t, "target.casset", leadsTo("two.casset"))
	now = now.Add(listingLifetime)
	assert.Empty(t, leadsTo("two.casset"))
}

// A bundle finds others by the UUIDs in their headers, in any layout.
func TestBundlesFindDependenciesInAnyLayout(t *testing.T) {
	for _, l := range cassettest.Layouts() {
		t.Run(l.String(), func(t *testing.T) {
			folder, id := t.TempDir(), cassettest.ID("/Game/Other")
			writeFile(t, filepath.Join(folder, "renamed.casset"),
				cassettest.Write(l, &cassettest.Content{ID: id, Name: "/Game/Other"}))
			own, uuid := cassettest.Bundle30, hex.EncodeToString(id[:])
			if l < cassettest.Bundle30Published { // in a reference of 2.0 without a name
				own, uuid = cassettest.Bundle20, strconv.FormatUint(id.Short(), 10)
			}
			writeFile(t, filepath.Join(folder, "own.casset"), cassettest.Write(own, oneObject("far",
				cassettest.Ref{Object: cassettest.ID("o"), Bundle: id, Class: "/Code/G.N"})))
			doc := openFile(t, filepath.Join(folder, "own.casset"))
			assert.Equal(t, "renamed.casset", node(t, doc, "/objects/0/fields/far").Link.File, uuid)
		})
	}
}

// A reference into another bundle links there even if an object of this file has the same UUID: one is a copy of the
// other. Without the other file it links to the object here.
func TestReferencesFindTheObjectHereIfTheBundleIsMissing(t *testing.T) {
	for _, l := range []cassettest.Layout{cassettest.Bundle20, cassettest.Bundle30Published, cassettest.Bundle30} {
		t.Run(l.String(), func(t *testing.T) {
			folder, copied := t.TempDir(), cassettest.ID("/Game/Copy")
			own := filepath.Join(folder, "own.casset")
			writeFile(t, own, cassettest.Write(l, oneObject("far",
				cassettest.Ref{Object: cassettest.ID("O"), Bundle: copied, Class: "/Code/G.C"})))
			link := node(t, openFile(t, own), "/objects/0/fields/far").Link
			_, here := link.Target()
			assert.True(t, link.File == "" && here)

			writeFile(t, filepath.Join(folder, "copy.casset"), cassettest.Write(l, &cassettest.Content{ID: copied,
				Name: "/Game/Copy", Objects: oneObject().Objects}))
			link = node(t, openFile(t, own), "/objects/0/fields/far").Link
			assert.Equal(t, "copy.casset", link.File)
		})
	}
}

// A name outside the project has no link.
func TestHostileDependenciesFindNoFile(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, filepath.Join(folder, "secret.casset"),
		cassettest.Write(cassettest.Bundle20, &cassettest.Content{ID: cassettest.ID("s"), Name: "/Game/S"}))
	own := filepath.Join(folder, "in", "own.casset")
	writeFile(t, filepath.Join(folder, "in", "Game", "secret.casset"), nil)
	writeFile(t, filepath.Join(folder, "in", ".casset"), nil)
	var c cassettest.Content
	for _, name := range []string{"/Game/../secret", "/../secret", "../secret", "/..", "//", "", ".", `\..\secret`,
		"/Game//secret", "/Game/./secret"} {
		c.Dependencies = append(c.Dependencies, cassettest.Dependency{Name: name})
	}
	writeFile(t, own, cassettest.Write(cassettest.Bundle20, &c))
	doc := openFile(t, own)
	list, err := doc.Groups[2].Build(context.Background())
	require.NoError(t, err)
	require.Equal(t, len(c.Dependencies), list.Len())
	for i := range list.Len() {
		assert.Equal(t, "missing", list.Child(i).Value, list.Child(i).Name)
	}
}

// A UUID is found in the form of the tree and as it is printed.
func TestKeysMatchUUIDsInBothForms(t *testing.T) {
	for _, c := range []struct {
		layout  layout
		written string
		texts   []string
		others  []string
	}{
		{bundle30Written, "0500c1d591c72d42ed800f36e6fa31a1",
			[]string{"422dc791-d5c1-0005-a131-fae6360f80ed", "422DC791-D5C1-0005-A131-FAE6360F80ED",
				"0500c1d591c72d42ed800f36e6fa31a1"},
			[]string{"", "422dc791", "422dc791-d5c10005a131fae6360f80ed", "zz2dc791-d5c1-0005-a131-fae6360f80ed",
				"60ef-5b40-6fc6-52b5"}},
		{bundle20, "6984901879386231477", []string{"6984901879386231477", "60ef-5b40-6fc6-52b5", "60EF-5B40-6FC6-52B5"},
			[]string{"", "60ef5b406fc652b5", "60ef5b40-6fc652b5", "60ef-5b40-6fc6-52bz", "99999999999999999999",
				"0500c1d591c72d42ed800f36e6fa31a1"}},
	} {
		f := &file{layout: c.layout}
		for _, text := range c.texts {
			key, ok := f.parseKey(text)
			assert.True(t, ok, text)
			assert.Equal(t, c.written, key.String(), text)
		}
		for _, text := range c.others {
			_, ok := f.parseKey(text)
			assert.False(t, ok, text)
		}
	}
}
