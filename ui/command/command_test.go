package command

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the list in docs/keys.md")

func TestTableIsConsistent(t *testing.T) {
	seen := map[ID]bool{}
	for _, c := range All() {
		assert.False(t, seen[c.ID], "%s is there once", c.ID)
		seen[c.ID] = true
		assert.NotEmpty(t, c.Label, c.ID)
		if c.SameAs != "" {
			assert.NotEmpty(t, ByID(c.SameAs).Keys, c.ID)
		}
		for _, k := range Default().Of(c.ID) {
			if !c.Fixed {
				assert.NoError(t, c.Scope.checkKey(k), c.ID)
			}
		}
	}
}

func TestKeysAreUniqueInAScope(t *testing.T) {
	first, second, key, found := Default().clash(nil)
	assert.False(t, found, "%s and %s have the key %s", first, second, key)
}

func TestKeysAreReadAsTheyAreWritten(t *testing.T) {
	for _, c := range All() {
		for _, text := range strings.Fields(c.Keys) {
			k, err := ParseKey(text)
			require.NoError(t, err)
			assert.Equal(t, text, strings.Replace(k.String(), "Cmd+", "Ctrl+", 1))
		}
	}
	for _, text := range []string{"", "Ctrl+", "ctrl+a", "Hyper+A", "F13", "a", "Ctrl+AB", " "} {
		_, err := ParseKey(text)
		assert.ErrorContains(t, err, "is not a key", text)
	}
}

func TestEventsHaveTheKeysOfTheTable(t *testing.T) {
	assert.Equal(t, Key{Name: fyne.KeyReturn}, KeyOf(&fyne.KeyEvent{Name: fyne.KeyEnter}, false))
	assert.Equal(t, Key{}, KeyOf(&fyne.KeyEvent{Name: fyne.KeyA}, false), "it comes as a character")
	assert.Equal(t, Key{Name: "H", Modifier: fyne.KeyModifierShift}, KeyOfRune('H'))
	assert.Equal(t, Key{Name: "<"}, KeyOfRune('<'))
	ks := Default()
	assert.EqualValues(t, "list.copy", ks.At(List, KeyOfShortcut(&fyne.ShortcutCopy{})))
	assert.EqualValues(t, "list.to-next", ks.At(List, Key{fyne.KeyDown, fyne.KeyModifierShift}), "it extends")
	assert.EqualValues(t, "list.menu", ks.At(List, Key{fyne.KeyF10, fyne.KeyModifierShift}))
	both := fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift
	assert.Empty(t, ks.At(List, Key{fyne.KeyA, both}), "it filters the assets, and selects nothing")
	assert.EqualValues(t, "list.to-last", ks.At(List, Key{fyne.KeyEnd, both}), "it extends")
	assert.Empty(t, ks.At(List, Key{Name: fyne.KeyF10}))
	assert.Empty(t, ks.At(Scene, Key{fyne.KeySpace, fyne.KeyModifierShift}))
}

func TestInvalidLinesOfTheUsersKeysAreReported(t *testing.T) {
	for _, tt := range []struct {
		file     string
		problems []string
		id       ID
		want     string
	}{
		{"# mine\n\nfile.reload = F6 Ctrl+Shift+R\n", nil, "file.reload", "F6"},
		{"file.reload =", nil, "file.reload", ""},
		{"file.open = F5\nfile.reload = F6\ncompare.again = F9", nil, "file.open", "F5"},
		{"go.back = Alt+PageUp", nil, "go.back", "Alt+PageUp"},
		{"compare.next-pair = Ctrl+1", nil, "compare.next-pair", "Ctrl+1"},
		{"scene.grid = X", nil, "scene.grid", "X"},
		{"scene.grid = A", []string{"Line 1: A is already used by “Frame All” (scene.frame-all); give that command another shortcut."},
			"scene.grid", "G"},
		{"file.open = Ctrl+P\ngo.item = Ctrl+O", nil, "file.open", "Ctrl+P"},
		{"file.open = Ctrl+L\ngo.item = Ctrl+L",
			[]string{"Line 2: Ctrl+L is already used by “Open…” (file.open); give that command another shortcut."}, "go.item", "Ctrl+P"},
		{"file.open Ctrl+L", []string{`Line 1: "file.open Ctrl+L" has no equals sign; write a line such as file.reload = Ctrl+R.`},
			"file.open", "Ctrl+O"},
		{"file.opne = Ctrl+L", []string{`Line 1: there is no command "file.opne"; Help > Keyboard Shortcuts lists them.`},
			"file.open", "Ctrl+O"},
		{"file.open = Strg+L",
			[]string{`Line 1: "Strg+L" is not a key; write it as in Ctrl+Shift+F, F5, PageUp or A.`}, "file.open", "Ctrl+O"},
		{"file.open = X", []string{"Line 1: X cannot be used in the window: without Ctrl or Alt it types a character."},
			"file.open", "Ctrl+O"},
		{"file.open = Ctrl+V", []string{"Line 1: Ctrl+V cannot be used in the window: it is reserved for editing text."},
			"file.open", "Ctrl+O"},
		{"scene.grid = Ctrl+G",
			[]string{"Line 1: Ctrl+G cannot be used in a scene: scene shortcuts have no Ctrl or Alt."}, "scene.grid", "G"},
		{"list.menu = M", []string{"Line 1: M cannot be used in lists, trees, and bytes: typed characters jump to the " +
			"matching row."}, "list.menu", "Menu"},
		{"list.copy = Ctrl+K", []string{"Line 1: the key of list.copy cannot be changed."}, "list.copy", "Ctrl+C"},
		{"go.item = F2\ngo.item = F6",
			[]string{"Line 2: go.item was already set in line 1; this line overrides it."}, "go.item", "F6"},
	} {
		keys, problems := ReadKeys(strings.NewReader(tt.file))
		assert.Equal(t, tt.problems, problems, tt.file)
		assert.Equal(t, tt.want, strings.Replace(keys.Text(tt.id), "Cmd+", "Ctrl+", 1), tt.file)
		_, _, _, found := keys.clash(nil)
		assert.False(t, found, tt.file)
	}
}

func TestMissingFileOfKeysMeansTheDefaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.txt")
	keys, problems := ReadKeysFile(path)
	assert.Same(t, Default(), keys)
	assert.Empty(t, problems)
	require.NoError(t, os.WriteFile(path, []byte("go.item = F2"), 0o600))
	keys, _ = ReadKeysFile(path)
	assert.Equal(t, "F2", keys.Text("go.item"))
	_, problems = ReadKeysFile(filepath.Dir(path))
	assert.NotEmpty(t, problems, "it is a folder")
	_, problems = ReadKeys(strings.NewReader(strings.Repeat("x", maxFileSize)))
	assert.Len(t, problems, 1)
}

// The list in docs/keys.md is made from the table.
func TestDocumentsListTheKeys(t *testing.T) {
	const document = "../../docs/keys.md"
	var want strings.Builder
	want.WriteString("<!-- keys -->\n\n")
	plain := strings.NewReplacer("`", "\\`", "<", "\\<", " ", " or ")
	for place := Window; place <= Export; place++ {
		title := place.String()
		fmt.Fprintf(&want, "### %s\n\n| shortcut | command | id |\n|---|---|---|\n", strings.ToUpper(title[:1])+title[1:])
		for _, c := range All() {
			if c.Scope == place && c.Keys != "" {
				fmt.Fprintf(&want, "| %s | %s | `%s` |\n", plain.Replace(c.Keys), strings.TrimSuffix(c.Label, "…"), c.ID)
			}
		}
		want.WriteByte('\n')
	}
	want.WriteString("<!-- end of the keys -->")
	content, err := os.ReadFile(document)
	require.NoError(t, err)
	list := regexp.MustCompile(`(?s)<!-- keys -->.*<!-- end of the keys -->`)
	if *update {
		require.NoError(t, os.WriteFile(document, list.ReplaceAllLiteral(content, []byte(want.String())), 0o644))
		return
	}
	assert.Equal(t, want.String(), string(list.Find(content)),
		"write it with: go test -tags migrated_fynedo ./ui/command -update")
}

func TestAChangedShortcutIsOneLineOfTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "keys.txt")
	f5 := []Key{{Name: fyne.KeyF6}}
	keys, err := SetKeys(file, "file.reload", f5)
	require.NoError(t, err)
	assert.Equal(t, f5, keys.Of("file.reload"))
	require.NoError(t, os.WriteFile(file, []byte("# mine\nnonsense\nfile.reload = F6\ngo.tree =\n"), 0o600))
	keys, err = SetKeys(file, "file.open", []Key{{Name: fyne.KeyF9}, {Name: fyne.KeyF6, Modifier: ctrl}})
	require.NoError(t, err)
	assert.Equal(t, f5, keys.Of("file.reload"), "as before")
	_, err = SetKeys(file, "go.hex", f5)
	assert.ErrorContains(t, err, "already used")
	_, err = SetKeys(file, "file.reload", Default().Of("file.reload"))
	require.NoError(t, err)
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "# mine\nnonsense\ngo.tree =\nfile.open = F9 Ctrl+F6\n", string(b))
	_, err = SetKeys(t.TempDir(), "file.reload", f5)
	assert.Error(t, err, "a folder")
}

func TestASharedKeyIsShownWhereItRuns(t *testing.T) {
	noop := func(bool) {}
	s := &Set[bool]{Keys: Default(), Actions: map[ID]Action[bool]{"help.shortcuts": {Do: noop},
		"help.field": {Do: noop, IsEnabled: func(isField bool) bool { return isField }}}}
	for _, isField := range []bool{true, false} {
		shown := ""
		for _, item := range s.Menu("Help", isField, func() bool { return isField }).Items {
			if item.Shortcut != nil {
				shown += item.Label
			}
		}
		assert.Equal(t, map[bool]string{true: "Explain This Field", false: "Keyboard Shortcuts"}[isField], shown)
	}
}

func TestCopyCommandsAreOneGroup(t *testing.T) {
	s := &Set[int]{Keys: Default(), Actions: map[ID]Action[int]{}}
	for _, c := range table {
		s.Actions[c.ID] = Action[int]{Do: func(int) {}}
	}
	ended := false
	for _, item := range s.Menu("Edit", 0, func() int { return 0 }).Items {
		if strings.HasPrefix(item.Label, "Copy ") {
			assert.False(t, ended, item.Label)
		} else if item.IsSeparator {
			ended = true
		}
	}
}

func TestKeyOfADisabledCommandDisplaysWhy(t *testing.T) {
	keys, _ := ReadKeysFile("")
	var hints []string
	blocked := false
	s := Set[int]{Keys: keys, IsBlocked: func() bool { return blocked },
		ShowHint: func(text string) { hints = append(hints, text) },
		Actions: map[ID]Action[int]{"go.assets": {Do: func(int) {}, IsEnabled: func(n int) bool { return n > 1 },
			Why: func(n int) string {
				if n < 0 {
					return ""
				}
				return "There is only one."
			}}}}
	key := keys.Of("go.assets")[0]
	for n, want := range map[int]bool{2: true, 1: true, -1: false} {
		assert.Equal(t, want, s.Press(key, n), n)
	}
	blocked = true
	s.Press(key, 1)
	assert.Equal(t, []string{"There is only one."}, hints)
}
