package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/userdata"
)

// File is where the user's own keys are.
func File() string { return filepath.Join(userdata.Config(), "assay", "keys.txt") }

// fileMost is how large a file of keys is at most.
const fileMost = 1 << 20

// ReadFile reads the user's own keys; without a path or a file there are none. problems has a sentence for each line
// that makes no sense, and for a file that cannot be read.
func ReadFile(path string) (keys *Keys, problems []string) {
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
	return Read(f)
}

// Read reads keys of the user's own: in each line the ID of a command, an equals sign and its keys, separated by
// spaces, such as “file.reload = Ctrl+R F6”. Without a key, a command has none. Lines that begin with # are comments.
// problems has a sentence for each line that makes no sense; the command then keeps the keys of the table.
func Read(r io.Reader) (keys *Keys, problems []string) {
	own, lines := map[ID][]Key{}, map[ID]int{}
	in := bufio.NewScanner(io.LimitReader(r, fileMost))
	n := 0
	complain := func(format string, a ...any) {
		problems = append(problems, fmt.Sprintf("Line %d: ", n)+fmt.Sprintf(format, a...))
	}
	for in.Scan() {
		n++
		text := strings.TrimSpace(in.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		id, all, err := parseLine(text)
		if err != nil {
			complain("%v.", err)
			continue
		}
		if before := lines[id]; before > 0 {
			complain("%s was already set in line %d; this line overrides it.", id, before)
		}
		own[id], lines[id] = all, n
	}
	if err := in.Err(); err != nil {
		n++
		complain("cannot read from this line on: %v.", err)
	}
	for {
		keys = Default().with(own)
		first, second, key, found := keys.clash(own)
		if !found {
			return keys, problems
		}
		if n = lines[second]; n == 0 {
			panic(fmt.Sprint("two commands have the key ", key)) // the table is tested
		}
		complain("%s is already used by “%s” (%s); give that command another shortcut.", key, Of(first).Label, first)
		delete(own, second)
		delete(lines, second)
	}
}

// parseLine reads the command and the keys of a line.
func parseLine(text string) (ID, []Key, error) {
	name, keys, ok := strings.Cut(text, "=")
	id := ID(strings.TrimSpace(name))
	c := Of(id)
	switch {
	case !ok:
		return "", nil, fmt.Errorf("%q has no equals sign; write a line such as file.reload = Ctrl+R", text)
	case c.ID == "":
		return "", nil, fmt.Errorf("there is no command %q; Help > Shortcuts lists them", id)
	case c.Fixed:
		return "", nil, fmt.Errorf("the key of %s cannot be changed", id)
	}
	var all []Key
	for _, text := range strings.Fields(keys) {
		k, err := ParseKey(text)
		if err == nil {
			err = c.Place.accept(k)
		}
		if err != nil {
			return "", nil, err
		}
		all = append(all, k)
	}
	return id, all, nil
}

// accept returns why a key cannot be one of a command at the place.
func (p Place) accept(k Key) error {
	function := len(k.Name) > 1 && k.Name[0] == 'F'
	switch {
	case p == Scene && !k.plain():
		return fmt.Errorf("%s cannot be used in a scene: scene shortcuts have no Ctrl or Alt", k)
	case (p == List || p == Assets || p == Export) && k.typed():
		return fmt.Errorf("%s cannot be used %s: typed characters jump to the matching row", k, p)
	case p < Scene && k.plain() && !function && k.Name != altKey:
		return fmt.Errorf("%s cannot be used %s: without Ctrl or Alt it types a character", k, p)
	case p < Scene && (k == Key{fyne.KeyC, ctrl} || k == Key{fyne.KeyV, ctrl} || k == Key{fyne.KeyX, ctrl} ||
		k == Key{fyne.KeyA, ctrl} || k == Key{fyne.KeyY, ctrl}):
		return fmt.Errorf("%s cannot be used %s: it is reserved for editing text", k, p)
	}
	return nil
}

const (
	altKey = fyne.KeyName("Alt")
	ctrl   = fyne.KeyModifierShortcutDefault
)
