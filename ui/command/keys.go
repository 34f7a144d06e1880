package command

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/userdata"
)

// Keys holds the shortcuts of all commands: the table's, with the changes of the user's file.
type Keys struct {
	keysOf    map[ID][]Key
	commandOf map[Scope]map[Key]ID
}

// Default returns the shortcuts of the table.
var Default = sync.OnceValue(func() *Keys {
	keysOf := make(map[ID][]Key, len(table))
	for _, c := range table {
		for _, text := range strings.Fields(c.Keys) {
			k, err := ParseKey(text)
			if err != nil {
				panic(fmt.Sprint(c.ID, ": ", err)) // tests exclude errors in the table
			}
			keysOf[c.ID] = append(keysOf[c.ID], k)
		}
	}
	return newKeys(keysOf)
})

func newKeys(keysOf map[ID][]Key) *Keys {
	ks := &Keys{keysOf: keysOf, commandOf: map[Scope]map[Key]ID{}}
	for _, c := range table {
		if ks.commandOf[c.Scope] == nil {
			ks.commandOf[c.Scope] = map[Key]ID{}
		}
		for _, k := range keysOf[c.ID] {
			ks.commandOf[c.Scope][k] = c.ID
		}
	}
	return ks
}

// withKeys returns a copy with other shortcuts for some commands.
func (ks *Keys) withKeys(changed map[ID][]Key) *Keys {
	merged := maps.Clone(ks.keysOf)
	maps.Copy(merged, changed)
	return newKeys(merged)
}

// Of returns the shortcuts of a command.
func (ks *Keys) Of(id ID) []Key { return ks.keysOf[id] }

// Has reports whether k is a key of the command.
func (ks *Keys) Has(id ID, k Key) bool { return slices.Contains(ks.keysOf[id], k) }

// At returns the command for a key in a scope, or "". In lists, Shift may be down too to extend the selection, unless
// the key with Shift is a shortcut of the tab or of the window.
func (ks *Keys) At(s Scope, k Key) ID {
	id := ks.commandOf[s][k]
	if id == "" && s >= List && ks.commandOf[Window][k] == "" && ks.commandOf[Document][k] == "" &&
		ks.commandOf[Comparison][k] == "" {
		k.Modifier &^= fyne.KeyModifierShift
		id = ks.commandOf[s][k]
	}
	return id
}

// Text returns the first shortcut of a command as text, or "". For a command without one, it returns that of the
// command SameAs, with SameAsWhere.
func (ks *Keys) Text(id ID) string {
	if all := ks.keysOf[id]; len(all) > 0 {
		return all[0].String()
	}
	if c := ByID(id); c.SameAs != "" && len(ks.keysOf[c.SameAs]) > 0 {
		return strings.TrimSpace(ks.Text(c.SameAs) + " " + c.SameAsWhere)
	}
	return ""
}

// Hint returns the tooltip of a command's button, with the shortcut.
func (ks *Keys) Hint(id ID) string {
	c := ByID(id)
	hint := c.Hint
	if hint == "" {
		hint = sentence(c.Label)
	}
	if key := ks.Text(id); key != "" && c.SameAs == "" {
		hint += " (" + key + ")"
	}
	return hint
}

// HintOf returns Hint as a function, for a button that outlives a change of the shortcuts.
func (ks *Keys) HintOf(id ID) func() string { return func() string { return ks.Hint(id) } }

// sentence returns a label in sentence case. Words in capitals stay unchanged.
func sentence(label string) string {
	words := strings.Fields(strings.TrimSuffix(label, "…"))
	for i, w := range words {
		if i > 0 && w != strings.ToUpper(w) {
			words[i] = strings.ToLower(w)
		}
	}
	return strings.Join(words, " ")
}

// Conflicts returns the other commands that use key k and whose scopes overlap that of the command.
func (ks *Keys) Conflicts(id ID, k Key) (holders []Command) {
	command := ByID(id)
	for _, c := range table {
		if c.ID != id && ks.Has(c.ID, k) && overlap(c.Scope, command.Scope) && c.YieldsTo != id &&
			command.YieldsTo != c.ID {
			holders = append(holders, c)
		}
	}
	return holders
}

// clash returns two commands with the same key in overlapping scopes. If changed contains one of them, that is the
// second.
func (ks *Keys) clash(changed map[ID][]Key) (first, second ID, key Key, found bool) {
	for i, a := range table {
		for _, b := range table[i+1:] {
			if !overlap(a.Scope, b.Scope) || a.YieldsTo == b.ID {
				continue
			}
			for _, k := range ks.keysOf[a.ID] {
				if !ks.Has(b.ID, k) {
					continue
				}
				if _, ok := changed[b.ID]; ok {
					return a.ID, b.ID, k, true
				}
				return b.ID, a.ID, k, true
			}
		}
	}
	return "", "", Key{}, false
}

// SetKeys sets the shortcuts of a command in the user's file, and returns all shortcuts. It removes the line of a
// command with its default shortcuts. If a shortcut cannot be used, it changes nothing.
func SetKeys(path string, id ID, keys []Key) (*Keys, error) {
	lines, err := readLines(path)
	if err != nil {
		return nil, err
	}
	lines = slices.DeleteFunc(lines, func(line string) bool {
		name, _, ok := strings.Cut(line, "=")
		return ok && ID(strings.TrimSpace(name)) == id
	})
	if !slices.Equal(keys, Default().Of(id)) {
		var texts []string
		for _, k := range keys {
			if err := ByID(id).Scope.checkKey(k); err != nil {
				return nil, err
			}
			texts = append(texts, k.fileText())
		}
		lines = append(lines, string(id)+" = "+strings.Join(texts, " "))
	}
	content := []byte(strings.Join(append(lines, ""), "\n"))
	current, problems := ReadKeys(bytes.NewReader(content))
	if !slices.Equal(current.Of(id), keys) {
		problem := fmt.Sprintf("%s cannot have this shortcut", ByID(id).Label)
		if len(problems) > 0 { // the last line is this command's
			_, problem, _ = strings.Cut(strings.TrimSuffix(problems[len(problems)-1], "."), ": ")
		}
		return nil, errors.New(problem)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return current, model.ReplaceFile(path, content, 0o600)
}

// readLines returns the lines of the file of shortcuts, which may not exist.
func readLines(path string) ([]string, error) {
	f, err := model.OpenShared(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err == nil && len(content) > maxFileSize {
		err = errors.New(path + " is too long for a file of shortcuts")
	}
	if text := strings.TrimRight(string(content), "\n"); err == nil && text != "" {
		return strings.Split(text, "\n"), nil
	}
	return nil, err
}

// fileText returns the key as it is written in the file of shortcuts, which is the same on all systems.
func (k Key) fileText() string { return strings.Replace(k.String(), "Cmd+", "Ctrl+", 1) }

// KeysPath returns the path of the file with the user's own shortcuts.
func KeysPath() string { return filepath.Join(userdata.Config(), "assay", "keys.txt") }

// maxFileSize is the maximum size of the file of shortcuts, in bytes.
const maxFileSize = 1 << 20

// ReadKeysFile reads the user's own shortcuts. Without a path or a file it returns the defaults. problems has a
// sentence for each invalid line, or for an unreadable file.
func ReadKeysFile(path string) (keys *Keys, problems []string) {
	if path == "" {
		return Default(), nil
	}
	f, err := model.OpenShared(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	if err != nil {
		return Default(), []string{fmt.Sprintf("Cannot read shortcuts from %s: %v.", path, err)}
	}
	defer f.Close()
	return ReadKeys(f)
}

// ReadKeys reads the user's own shortcuts: each line has the ID of a command, an equals sign and its keys, separated by
// spaces, such as “file.reload = Ctrl+R F6”. A line without a key removes the shortcut. Lines that begin with # are
// comments. problems has a sentence for each invalid line; its command keeps the keys of the table.
func ReadKeys(r io.Reader) (keys *Keys, problems []string) {
	changed, lines := map[ID][]Key{}, map[ID]int{}
	scanner := bufio.NewScanner(io.LimitReader(r, maxFileSize))
	n := 0
	addProblem := func(line int, format string, a ...any) {
		problems = append(problems, fmt.Sprintf("Line %d: ", line)+fmt.Sprintf(format, a...))
	}
	for scanner.Scan() {
		n++
		text := strings.TrimSpace(scanner.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		id, all, err := parseLine(text)
		if err != nil {
			addProblem(n, "%v.", err)
			continue
		}
		if firstLine := lines[id]; firstLine > 0 {
			addProblem(n, "%s was already set in line %d; this line overrides it.", id, firstLine)
		}
		changed[id], lines[id] = all, n
	}
	if err := scanner.Err(); err != nil {
		addProblem(n+1, "cannot read from this line on: %v.", err)
	}
	for {
		keys = Default().withKeys(changed)
		first, second, key, found := keys.clash(changed)
		if !found {
			return keys, problems
		}
		line := lines[second]
		if line == 0 {
			panic(fmt.Sprint("two commands have the key ", key)) // tests exclude clashes in the table
		}
		addProblem(line, "%s is already used by “%s” (%s); give that command another shortcut.", key,
			ByID(first).Label, first)
		delete(changed, second)
		delete(lines, second)
	}
}

// parseLine returns the command and the keys of a line.
func parseLine(text string) (ID, []Key, error) {
	name, keys, ok := strings.Cut(text, "=")
	id := ID(strings.TrimSpace(name))
	c := ByID(id)
	switch {
	case !ok:
		return "", nil, fmt.Errorf("%q has no equals sign; write a line such as file.reload = Ctrl+R", text)
	case c.ID == "":
		return "", nil, fmt.Errorf("there is no command %q; Help > Keyboard Shortcuts lists them", id)
	case c.Fixed:
		return "", nil, fmt.Errorf("the key of %s cannot be changed", id)
	}
	var all []Key
	for _, text := range strings.Fields(keys) {
		k, err := ParseKey(text)
		if err == nil {
			err = c.Scope.checkKey(k)
		}
		if err != nil {
			return "", nil, err
		}
		all = append(all, k)
	}
	return id, all, nil
}

// checkKey returns the reason why a command of the scope cannot have a key, or nil.
func (s Scope) checkKey(k Key) error {
	isFunctionKey := len(k.Name) > 1 && k.Name[0] == 'F'
	switch {
	case s == Scene && !k.hasOnlyShift():
		return fmt.Errorf("%s cannot be used in a scene: scene shortcuts have no Ctrl or Alt", k)
	case (s == List || s == Assets || s == Export) && k.isCharacter():
		return fmt.Errorf("%s cannot be used %s: typed characters jump to the matching row", k, s)
	case s < Scene && k.hasOnlyShift() && !isFunctionKey && k.Name != altKey:
		return fmt.Errorf("%s cannot be used %s: without Ctrl or Alt it types a character", k, s)
	case s < Scene && (k == Key{fyne.KeyC, ctrl} || k == Key{fyne.KeyV, ctrl} || k == Key{fyne.KeyX, ctrl} ||
		k == Key{fyne.KeyA, ctrl} || k == Key{fyne.KeyY, ctrl}):
		return fmt.Errorf("%s cannot be used %s: it is reserved for editing text", k, s)
	}
	return nil
}
