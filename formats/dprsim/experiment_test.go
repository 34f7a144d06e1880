package dprsim

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/dprsim/dprsimtest"
	"assay/model"
	"assay/model/modeltest"
	"assay/model/scene"
)

func entriesText(d *model.Document) string {
	list := d.Root().ChildNamed("entries")
	var out []string
	for i := range list.Len() {
		e := list.Child(i)
		out = append(out, e.Key+": "+e.ChildNamed("key").ValueText()+"="+model.FormatValue(e.ChildNamed("value").Value))
	}
	return strings.Join(out, "\n")
}

func TestLinesAreEntriesCommentsOrUnparsed(t *testing.T) {
	for name, test := range map[string]struct{ text, entries, tree string }{
		"empty": {"", "", "entries Entry[]"},
		"one entry": {"WORLD=a.world", "WORLD: WORLD=a.world",
			"entries Entry[] [0 Entry [key string WORLD, separator separator =, value string a.world]]"},
		"line ends": {"SAVE=1\r\nSAVE=2\rSAVE=3\nSAVE=4",
			"SAVE: SAVE=1\nSAVE#2: SAVE=2\nSAVE#3: SAVE=3\nSAVE#4: SAVE=4",
			`entries Entry[] [0 Entry [key string SAVE, separator separator =, value string 1, line_end line_end \r\n], ` +
				`1 Entry [key string SAVE, separator separator =, value string 2, line_end line_end \r], 2 Entry [key string SAVE, separator separator =, value string 3, line_end line_end \n], ` +
				`3 Entry [key string SAVE, separator separator =, value string 4]]`},
		"blanks": {" SAVE =\t0 \n", "SAVE: SAVE=0",
			`entries Entry[] [0 Entry [separator separator  , key string SAVE, separator separator  =\t, value string 0, separator separator  , line_end line_end \n]]`},
		"more of =": {"LATTICE=a=b#c", "LATTICE: LATTICE=a=b#c",
			"entries Entry[] [0 Entry [key string LATTICE, separator separator =, value string a=b#c]]"},
		"no value": {"SAVE=\n", "SAVE: SAVE=",
			`entries Entry[] [0 Entry [key string SAVE, separator separator =, value string, line_end line_end \n]]`},
		"no key": {"=5", ": =5",
			"entries Entry[] [0 Entry [key string, separator separator =, value string 5]]"},
		"comments and others": {"# a=b\n #c\nd\n\n \n# e", "",
			`entries Entry[], comments Comment[] [0 Comment # a=b [text string # a=b, line_end line_end \n], 1 Comment # e [text string # e]], ` +
				`unparsed Line[] [0 Line  #c [text string  #c, line_end line_end \n], 1 Line d [text string d, line_end line_end \n]], blank_lines line_end[] [0 line_end \n \n]`},
		"byte order mark": {"\xEF\xBB\xBFSAVE=1", "SAVE: SAVE=1",
			"byte_order_mark reserved \uFEFF, entries Entry[] [0 Entry [key string SAVE, separator separator =, value string 1]]"},
		"not UTF-8": {"LATTICE=k\xfche", "LATTICE: LATTICE=k\uFFFDhe",
			"entries Entry[] [0 Entry [key string LATTICE, separator separator =, value string k\\xfche]]"},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, "a.experiment", []byte(test.text))
			r := checkSound(t, d)
			assert.EqualValues(t, len(test.text), r.Accounted)
			assert.Equal(t, test.entries, entriesText(d))
			assert.Equal(t, test.tree, outline(d.Root()))
		})
	}
	d := open(t, "a.experiment", []byte("LATTICE=k\xfche"))
	assert.Equal(t, []byte("k\xfche"), find(t, d, "/entries/0/value").Raw())
}

func TestUnknownAndDuplicateKeysAreNoted(t *testing.T) {
	d := open(t, "a.experiment", []byte("WORLD=a\nCOLOUR=red\nWORLD=b\nOBJECT=SPHERE,0,0,5,0,0,0,0,255,0,0,100,5\nOBJECT=SPHERE,0,0,5,0,0,0,0,255,0,0,100,5\nFRICTION=infinity\n=1\nprose\n"))
	assert.Equal(t, strings.Join([]string{
		"note /entries/1 unknown key COLOUR",
		"note /entries/2 occurrence 2 of WORLD; the last one wins",
		"warning /entries/6 a line has no key before its \"=\"",
		"warning /unparsed/0 the line is neither KEY=value nor a comment",
	}, "\n"), messages(checkSound(t, d)))
	assert.Equal(t, "b", find(t, d, "/entries/2/value").Link.File)
	path, ok := d.FindKey("OBJECT#2")
	require.True(t, ok)
	assert.Equal(t, "/entries/4", d.At(path).PathText())
	_, ok = d.FindKey("OBJECT#3")
	assert.False(t, ok)
}

func TestArgumentsOfObjectsHaveNamesByType(t *testing.T) {
	common := "0,1,2,3,4,5,6,7,8,9,10"
	shown := "x number 0|y number 1|z number 2|yaw number 3|pitch number 4|roll number 5|r number 6|g number 7|b number " +
		"8|alpha number 9|mass number 10"
	for value, test := range map[string]struct{ want, problem string }{
		"SPHERE," + common + ",-1.5e1": {"type string SPHERE|" + shown + "|radius number -15", ""},
		"CYL," + common + ",1,2":       {"type string CYL|" + shown + "|radius number 1|length number 2", ""},
		"CCYL," + common + ",1,2":      {"type string CCYL|" + shown + "|radius number 1|length number 2", ""},
		"BOX," + common + ",1,2,3": {"type string BOX|" + shown + "|length number 1|width number 2|depth number 3",
			""},
		"PLANE," + common + ",1,2,3,4": {"type string PLANE|" + shown + "|a number 1|b number 2|c number 3|d number 4",
			""},
		"SPHERE": {"type string SPHERE", "SPHERE has 0 arguments, not 12"},
		"BOX,1, 2 ,3": {"type string BOX|x number 1, separator separator , , y number 2, separator " +
			"separator  ,, z number 3", "BOX has 3 arguments, not 14"},
		"SPHERE," + common + ",1,2": {"type string SPHERE|" + shown + "|radius number 1|argument_12 number 2",
			"SPHERE has 13 arguments, not 12"},
		"SPHERE," + common + ",five": {"type string SPHERE|" + shown + "|radius number five",
			"argument radius is not a number"},
		"SPHERE," + common + ",": {"type string SPHERE|" + shown + ", separator separator ,",
			"argument radius is empty"},
		"SPHERE," + common + ",nan": {"type string SPHERE|" + shown + "|radius number NaN",
			"argument radius is not finite"},
		"SPHERE," + common + ",1e999": {"type string SPHERE|" + shown + "|radius number Inf",
			"argument radius is not finite"},
		"sphere," + common + ",1": {"type string sphere|" + shown + "|argument_11 number 1",
			`unknown object type "sphere"`},
		"":  {"", "the object type is missing"},
		",": {"separator separator ,", `unknown object type ""`},
		"<-- OBJECT KEYWORD, active": {"type string <-- OBJECT KEYWORD, separator separator , , x number active",
			`unknown object type "<-- OBJECT KEYWORD"`},
		"SPHERE" + strings.Repeat(",1", 70): {"", "SPHERE has 70 arguments, not 12"},
	} {
		t.Run(value, func(t *testing.T) {
			d := open(t, "a.experiment", []byte("OBJECT="+value+"\n"))
			r := checkSound(t, d)
			assert.Equal(t, d.Source.Size(), r.Accounted)
			n := find(t, d, "/entries/0/value")
			assert.Equal(t, value, n.Value)
			assert.Equal(t, "Object", n.Type)
			if test.want == "" && n.Len() > 0 {
				last := n.Child(n.Len() - 1)
				assert.Equal(t, "surplus 1,1,1,1,1,1", last.Name+" "+last.ValueText())
			} else {
				assert.Equal(t, strings.ReplaceAll(test.want, "|", ", separator separator ,, "), outline(n))
			}
			if test.problem == "" {
				assert.Empty(t, r.Problems)
			} else {
				assert.Contains(t, messages(r), "OBJECT: "+test.problem)
			}
		})
	}
}

func TestExperimentsAreExportedAsJSON(t *testing.T) {
	d := open(t, "tower.experiment", []byte("# one\nWORLD=a.world\nOBJECT=SPHERE,1,nan,x,,0.5\nprose \"1\"\nOBJECT=\n"))
	assert.Equal(t, "tower.json", d.Payloads.At(0).Name)
	text := payload(t, d, 0, "json")
	require.True(t, json.Valid([]byte(text)), text)
	assert.JSONEq(t, `{"entries": [{"key": "WORLD", "value": "a.world"},
		{"key": "OBJECT", "value": "SPHERE,1,nan,x,,0.5", "object": {"type": "SPHERE", "arguments": [{"name": "x", "value": 1}, {"name": "y", "value": "NaN"}, {"name": "z", "value": "x"}, {"name": "pitch", "value": 0.5}]}},
		{"key": "OBJECT", "value": "", "object": {"type": "", "arguments": []}}],
		"comments": ["# one"], "unparsed": ["prose \"1\""]}`, text)
	assert.JSONEq(t, `{"entries": [], "comments": [], "unparsed": []}`,
		payload(t, open(t, "b.experiment", []byte("\n")), 0, "json"))
}

func TestEachInvalidSequenceOfUTF8IsOneReplacement(t *testing.T) {
	d := open(t, "a.experiment", []byte("K\xff\xfe=v\xe2\x82\xff\nOBJECT=S\xff\xfe,\xfd\xfd\n#\xff\xfe\n"))
	assert.Equal(t, "K\uFFFD\uFFFD", find(t, d, "/entries/0").Key)
	assert.Equal(t, "S\uFFFD\uFFFD,\uFFFD\uFFFD", find(t, d, "/entries/1/value").Value)
	assert.JSONEq(t, `{"entries": [{"key": "K\uFFFD\uFFFD", "value": "v\uFFFD\uFFFD"},
		{"key": "OBJECT", "value": "S\uFFFD\uFFFD,\uFFFD\uFFFD", "object": {"type": "S\uFFFD\uFFFD",
			"arguments": [{"name": "x", "value": "\uFFFD\uFFFD"}]}}],
		"comments": ["#\uFFFD\uFFFD"], "unparsed": []}`, payload(t, d, 0, "json"))
	d = open(t, "a.state", writeState(t, dprsimtest.Layout{},
		[]dprsimtest.Listing{{Name: "mo\xff\xfe", Version: 1, Types: "a2C", Names: "x\xff\xfe:"}},
		func(s *dprsimtest.StateWriter) { s.Catom(1, []byte("\xff\xfe\x01")) }))
	module := catomList(d).Child(0).Child(2).Child(0)
	assert.Equal(t, "mo\uFFFD\uFFFD", module.Key)
	assert.Equal(t, "x\uFFFD\uFFFD", module.Child(1).Name)
	assert.Equal(t, "\uFFFD\uFFFD", module.Child(1).Value)
}

func TestLongExperimentsAreReadInPart(t *testing.T) {
	text := append(bytes.Repeat([]byte("=\n"), maxExperiment/2), "SAVE=1\n"...)
	d := open(t, "a.experiment", text)
	assert.Equal(t, maxExperiment/2, d.Root().ChildNamed("entries").Len())
	assert.Contains(t, d.Root().Problems()[0].Message, "only the first 16777216 are read")
	d = open(t, "b.experiment", append([]byte("SAVE=1\n"), bytes.Repeat([]byte("\n"), 1<<20)...))
	assert.Equal(t, 1, d.Root().ChildNamed("blank_lines").Len(), "blank lines that follow one another are one")
	assert.Equal(t, "/blank_lines/0", d.Owner(1000).PathText())
}

func TestWorldsAreFoundByTheirStem(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"both.world", "both.state", "exact.dpr", "exact.world", "only.state", "Case.World",
		"sub/deep.world"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o666))
	}
	folded := "Case.World"
	if _, err := os.Stat(filepath.Join(folder, "case.world")); err == nil {
		folded = "case.world" // the file system finds it by this name, too
	}
	for name, want := range map[string]string{"exact.dpr": "exact.dpr", "both.dpr": "both.world", "both": "both.world",
		"only.dpr":   "only.state",
		"case.world": folded, "sub/deep.dpr": "sub/deep.world", `sub\deep.world`: "sub/deep.world",
		"none.dpr": "", "sub": "", "none/x.world": ""} {
		got, ok := resolveWorld(folder, name)
		assert.Equal(t, want != "", ok, name)
		if want != "" {
			assert.Equal(t, filepath.Join(folder, filepath.FromSlash(want)), got, name)
		}
	}
	_, ok := resolveWorld(t.TempDir(), filepath.Join(folder, "only.dpr"))
	assert.False(t, ok, "it is outside of the folder")
}

func TestWhatWritersWriteIsRead(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, dprsimtest.WriteExperiment(&out, "a tower",
		dprsimtest.Setting{Key: "WORLD", Value: "tower.world"},
		dprsimtest.Setting{Key: "SAVE", Value: "0"}))
	d := open(t, "x", out.Bytes())
	requireWhole(t, d)
	assert.Equal(t, "WORLD: WORLD=tower.world\nSAVE: SAVE=0", entriesText(d))
	out.Reset()
	require.NoError(t, dprsimtest.Cube(&out, 3))
	d = open(t, "x", out.Bytes())
	requireWhole(t, d)
	assert.Equal(t, 27, catomList(d).Len())
	assert.Error(t,
		dprsimtest.NewStateWriter(&out, dprsimtest.Layout{},
			dprsimtest.Listing{Name: strings.Repeat("x", 256)}).Close())
	_, err := Open(context.Background(), source("x", out.Bytes()))
	assert.NoError(t, err)
}

func TestWorldsAreFoundBesideTheExperiment(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "tower.world"), []byte("CLAY"), 0o600))
	inner := filepath.Join(folder, "inner")
	require.NoError(t, os.Mkdir(inner, 0o700))
	for _, c := range []struct {
		name string
		ok   bool
	}{{"tower.world", true}, {"tower.dpr", true}, {"TOWER", true}, {"other.world", false}, {"../tower.world",
		false}, {`..\tower.world`, false}} {
		from := folder
		if strings.HasPrefix(c.name, "..") {
			from = inner
		}
		d := open(t, "a.experiment", []byte("WORLD="+c.name+"\nTIMESTEPS=1\n"))
		path, ok := find(t, d, "/entries/0/value").Link.Resolve(from)
		assert.Equal(t, c.ok, ok, c.name)
		if ok {
			assert.Equal(t, filepath.Join(folder, "tower.world"), path)
		}
	}
}

// TestExperimentOfACommitHasTheWorldOfTheCommit draws experiments of a repository: with the world of the commit, or the
// one on disk if the commit has none, never with one beside a temporary copy.
func TestExperimentOfACommitHasTheWorldOfTheCommit(t *testing.T) {
	cube := func(side int) []byte {
		var out bytes.Buffer
		require.NoError(t, dprsimtest.Cube(&out, side))
		return out.Bytes()
	}
	folder := modeltest.Folder(t, map[string]string{"tower.world": string(cube(3))})
	copied := modeltest.Folder(t, map[string]string{"old_a.experiment": "WORLD=tower.dpr\nTIMESTEPS=1\n",
		"tower.world": string(cube(1))})
	for name, c := range map[string]struct {
		committed fs.FS
		catoms    int64
	}{
		"committed":  {fstest.MapFS{"tower.world": {Data: cube(2)}}, 8},
		"on disk":    {fstest.MapFS{"other.world": {Data: cube(2)}}, 27},
		"no version": {nil, 27},
	} {
		src, err := model.OpenFile(filepath.Join(copied, "old_a.experiment"))
		require.NoError(t, err)
		version := &model.FileVersion{Path: filepath.Join(folder, "a.experiment")}
		if c.committed != nil {
			version.Files = func(root string) fs.FS {
				assert.Equal(t, folder, root)
				return c.committed
			}
		}
		src.SetVersion(version)
		d, err := openExperiment(t.Context(), src)
		require.NoError(t, err)
		var catoms int64
		v, err := d.View(t.Context(), d.Root())
		require.NoError(t, err)
		require.IsType(t, new(scene.Scene), v)
		v.(*scene.Scene).Walk(func(n *scene.Node, _ scene.Matrix) {
			if n.Points != nil {
				catoms += int64(n.Points.Count)
			}
		})
		assert.Equal(t, c.catoms, catoms, name)
		require.NoError(t, d.Source.Close())
	}
}

func TestLinksDoNotLeadAWorldOutOfTheFolder(t *testing.T) {
	outside := modeltest.Folder(t, map[string]string{"secret.world": "CLAY", "below/deep.world": "CLAY"})
	folder := modeltest.Folder(t, map[string]string{"own.world": "CLAY"})
	modeltest.Symlink(t, filepath.Join(outside, "secret.world"), filepath.Join(folder, "file.world"))
	modeltest.Symlink(t, filepath.Join(outside, "below"), filepath.Join(folder, "below"))
	modeltest.Symlink(t, "own.world", filepath.Join(folder, "inside.world"))
	for name, want := range map[string]bool{"file.world": false, "file": false, "below/deep.world": false,
		"below/deep": false, "inside.world": true} {
		_, ok := resolveWorld(folder, name)
		assert.Equal(t, want, ok, name)
	}
}
