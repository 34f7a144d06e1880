package cli

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
)

const aMaterial = "material m\n{\n    technique\n    {\n        pass 0\n        {\n            a = 1\n            b = 2\n        }\n    }\n}\n"

// TestTextsAreComparedByRules tests that files with only ignored differences are the same, as texts and as trees of
// properties.
func TestTextsAreComparedByRules(t *testing.T) {
	folder := t.TempDir()
	path := func(name, content string) string { return fileIn(t, folder, name, []byte(content)) }
	script := "local a = 1\nlocal b = 2\n"
	for rule, edit := range map[string]func(s string) string{
		"indentation": func(s string) string { return strings.ReplaceAll(s, "    ", "  ") },
		"blank":       func(s string) string { return strings.Replace(s, "\n", "\n\n", 2) },
		"eol":         func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	} {
		for name, s := range map[string]string{"m.material": aMaterial, "x.lua": "do\n    " + script + "end\n"} {
			old, new := path("old."+name, s), path("new."+name, edit(s))
			status, out, _ := do(t, "diff", old, new)
			assert.Equal(t, ExitProblems, status, rule+" "+name+out)
			status, out, _ = do(t, "diff", "--ignore", rule, old, new)
			assert.Equal(t, ExitOK, status, rule+" "+name+out)
		}
	}
	commented := strings.Replace(aMaterial, "    technique", "    // why\n    technique", 1)
	swapped := strings.Replace(aMaterial, "            a = 1\n            b = 2\n", "            b = 2\n            a = 1\n", 1)
	old := path("old.material", aMaterial)
	for rule, new := range map[string]string{"comments": path("c.material", commented), "order": path("o.material", swapped)} {
		status, out, _ := do(t, "diff", old, new)
		assert.Equal(t, ExitProblems, status, rule+out)
		status, out, _ = do(t, "diff", "--ignore", rule, old, new)
		assert.Equal(t, ExitOK, status, rule+out)
	}
	both := path("both.material", strings.Replace(commented, "b = 2", "b = 3", 1))
	_, out, _ := do(t, "diff", "--ignore", "comments,indentation,blank,eol", old, both)
	assert.Contains(t, out, `"2" → "3"`)
	assert.NotContains(t, out, "why", "the rules hold in the tree, too")
}

func fileIn(t *testing.T, folder, name string, content []byte) string {
	path := filepath.Join(folder, name)
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return path
}

func sampleOf(t *testing.T, name string) []byte {
	all := assets.Samples()
	i := slices.IndexFunc(all, func(s assets.Sample) bool { return s.Name == name })
	require.GreaterOrEqual(t, i, 0)
	return all[i].Bytes
}

func floats(f ...float32) (b []byte) {
	for _, v := range f {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// editedPair is the paths of two files, and a text that each form of a report about them must contain.
type editedPair struct{ old, new, says string }

// editedPairs returns pairs of files, by the name of the edit.
func editedPairs(t *testing.T) map[string]editedPair {
	pairs := make(map[string]editedPair)
	folder := t.TempDir()
	add := func(name, file string, old, new []byte, says string) {
		write := func(version string, content []byte) string {
			versionFolder := filepath.Join(folder, name+"-"+version)
			require.NoError(t, os.MkdirAll(versionFolder, 0o700))
			path := filepath.Join(versionFolder, file)
			require.NoError(t, os.WriteFile(path, content, 0o600))
			return path
		}
		pairs[name] = editedPair{write("old", old), write("new", new), says}
	}
	// edit overwrites the value of a node of a sample.
	edit := func(name, sample, node string, new []byte, says string) {
		old := sampleOf(t, sample)
		status, out, messages := do(t, "dump", "--only", node, fileIn(t, folder, sample, old))
		require.Zero(t, status, messages)
		var at struct{ Offset int }
		require.NoError(t, json.Unmarshal([]byte(out), &at))
		edited := bytes.Clone(old)
		copy(edited[at.Offset:], new)
		add(name, sample, old, edited, says)
	}
	edit("one vertex", "duck.gpb", "/meshes/0/vertices/3/POSITION", floats(9, 9, 9), "positions moved by (9, 8.25, 9)")
	edit("one normal", "duck.gpb", "/meshes/0/vertices/3/NORMAL", floats(1, 0, 0), "1 of ")
	edit("a color of a catom", "ball.world", "/chunks/1/content/catoms/5/states/0/r", []byte{24}, "r 23 → 24 (+1)")
	edit("a catom moved", "ball.world", "/chunks/1/content/catoms/5/states/0/x", []byte{1}, "moved by (8, 0, 0)")
	edit("a time in a package", "pond.ppac", "/assets/1/modified", []byte{1}, "modified ")
	edit("bytes of an asset", "pond.ppac", "/assets/2/data", []byte("XY"), "asset ")
	edit("a name in a schema", "sky.casset", "/schema/entries/1/fields/4/name", []byte("\x04f_u9"), "f_u")
	material := []byte(aMaterial)
	add("a property", "m.material", material, bytes.Replace(material, []byte("a = 1"), []byte("a = 3"), 1), `"1" → "3"`)
	add("properties swapped", "m.material", material, bytes.Replace(material, []byte("a = 1\n            b = 2"),
		[]byte("b = 2\n            a = 1"), 1), "moved")
	add("a line", "x.lua", []byte("one\ntwo\nthree\n"), []byte("one\n2\nthree\n"), "1 of 3 lines changed")
	add("a color", "x.png", plainPNG(t, 4, 4, red), plainPNG(t, 4, 4, blue), "16 of 16 pixels changed")
	wav := func(last byte) []byte {
		return append([]byte("RIFF\x26\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x44\xac\x00\x00\x44\xac\x00\x00"+
			"\x01\x00\x08\x00data\x02\x00\x00\x00\x80"), last)
	}
	add("a sample of a sound", "x.wav", wav(128), wav(255), "1 of 2 samples changed")
	return pairs
}

// TestEveryFormOfAReportHasTheSameNumbers tests that the headline, the items, and the rows have the same numbers in
// text, Markdown, HTML, and JSON.
func TestEveryFormOfAReportHasTheSameNumbers(t *testing.T) {
	for name, p := range editedPairs(t) {
		t.Run(name, func(t *testing.T) {
			status, out, messages := do(t, "diff", "--json", p.old, p.new)
			require.Equal(t, ExitProblems, status, messages)
			var found struct {
				Changed, Moved, Added, Removed, Parents int64
				Items                                   map[string]int64 `json:"things"`
				Changes                                 []struct{ Status string }
				Summary                                 struct {
					Headline string
					Items    []struct {
						Status, Name string
						What         []string
					} `json:"things"`
				}
			}
			require.NoError(t, json.Unmarshal([]byte(out), &found))
			rows := map[string]int64{}
			for _, r := range found.Changes {
				rows[r.Status]++
			}
			assert.Equal(t, map[string]int64{"changed": found.Changed, "moved": found.Moved, "added": found.Added,
				"removed": found.Removed}, withZeros(rows), "the rows are those that are counted")
			items := map[string]int64{}
			for _, item := range found.Summary.Items {
				items[item.Status]++
			}
			for status, n := range items {
				assert.GreaterOrEqual(t, found.Items[status], n, "an item counts once")
			}
			var text string
			for _, form := range []string{"text", "markdown", "html"} {
				_, out, _ := do(t, "diff", "--all", "--as", form, p.old, p.new)
				said := html.UnescapeString(regexp.MustCompile(`\\([_*\[\]|\\])|<[^>]*>`).ReplaceAllString(out, "$1"))
				assert.Contains(t, said, p.says, form)
				if form == "text" && len(found.Summary.Items) == 0 { // the rows contain it already
					_, out, _ := do(t, "diff", "--summary", p.old, p.new)
					said += out
				}
				require.NotEmpty(t, found.Summary.Headline)
				assert.Contains(t, said, found.Summary.Headline, form)
				for _, item := range found.Summary.Items {
					assert.Contains(t, said, strings.Join(item.What, "; "), form)
				}
				if form == "text" {
					text = out
				}
			}
			own := withZeros(map[string]int64{"changed": found.Changed - found.Parents, "moved": found.Moved,
				"added": found.Added, "removed": found.Removed})
			signs := map[string]string{"changed": "~", "moved": ">", "added": "+", "removed": "-"}
			for status, n := range own {
				if strings.Contains(text, "@@") {
					break // its lines are listed
				}
				lines := regexp.MustCompile(`(?m)^\`+signs[status]+` /`).FindAllString(text, -1)
				assert.EqualValues(t, n, len(lines), "%s rows of\n%s", status, text)
				if n > 0 && strings.Contains(text, "rows: ") {
					assert.Contains(t, text, fmt.Sprint(n, " ", status))
				}
			}
			_, summary, _ := do(t, "diff", "--summary", p.old, p.new)
			assert.Contains(t, summary, p.says)
		})
	}
}

func withZeros(n map[string]int64) map[string]int64 {
	for _, status := range []string{"changed", "moved", "added", "removed"} {
		n[status] += 0
	}
	return n
}
