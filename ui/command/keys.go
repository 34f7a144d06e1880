package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
)

// Keys are the shortcuts of all commands: those of the table, but for what the user's file says otherwise.
type Keys struct {
	of map[ID][]Key
	by map[Place]map[Key]ID
}

// Default returns the shortcuts of the table.
var Default = sync.OnceValue(func() *Keys {
	of := make(map[ID][]Key, len(table))
	for _, c := range table {
		for _, text := range strings.Fields(c.Keys) {
			k, err := ParseKey(text)
			if err != nil {
				panic(fmt.Sprint(c.ID, ": ", err)) // the table is tested
			}
			of[c.ID] = append(of[c.ID], k)
		}
	}
	return newKeys(of)
})

func newKeys(of map[ID][]Key) *Keys {
	ks := &Keys{of: of, by: map[Place]map[Key]ID{}}
	for _, c := range table {
		if ks.by[c.Place] == nil {
			ks.by[c.Place] = map[Key]ID{}
		}
		for _, k := range of[c.ID] {
			ks.by[c.Place][k] = c.ID
		}
	}
	return ks
}

// with returns the shortcuts with other ones for some commands.
func (ks *Keys) with(own map[ID][]Key) *Keys {
	of := maps.Clone(ks.of)
	maps.Copy(of, own)
	return newKeys(of)
}

// Of returns the shortcuts of a command.
func (ks *Keys) Of(id ID) []Key { return ks.of[id] }

// Has reports whether a key is one of a command.
func (ks *Keys) Has(id ID, k Key) bool { return slices.Contains(ks.of[id], k) }

// At returns the command that a key means at a place; empty if it means none. In lists Shift may be down besides: it
// extends what is selected, unless the key with Shift is one of the tab or of the window.
func (ks *Keys) At(p Place, k Key) ID {
	id := ks.by[p][k]
	if id == "" && p >= List && ks.by[Window][k] == "" && ks.by[Document][k] == "" && ks.by[Comparison][k] == "" {
		k.Modifier &^= fyne.KeyModifierShift
		id = ks.by[p][k]
	}
	return id
}

// Text returns the shortcut of a command that people are shown; empty if it has none.
func (ks *Keys) Text(id ID) string {
	if all := ks.of[id]; len(all) > 0 {
		return all[0].String()
	}
	if c := Of(id); c.Like != "" && len(ks.of[c.Like]) > 0 {
		return ks.Text(c.Like) + " " + c.LikeWhere
	}
	return ""
}

// Hint returns what is said of a command while the pointer is over its button, with the shortcut.
func (ks *Keys) Hint(id ID) string {
	c := Of(id)
	says := c.Hint
	if says == "" {
		says = sentence(c.Label)
	}
	if key := ks.Text(id); key != "" && c.Like == "" {
		says += " (" + key + ")"
	}
	return says
}

// sentence returns a label with small letters after the first word, but for words of capitals.
func sentence(label string) string {
	words := strings.Fields(strings.TrimSuffix(label, "…"))
	for i, w := range words {
		if i > 0 && w != strings.ToUpper(w) {
			words[i] = strings.ToLower(w)
		}
	}
	return strings.Join(words, " ")
}

// clash finds two commands that one key could mean, the second of which has its keys from own if one of them has.
func (ks *Keys) clash(own map[ID][]Key) (first, second ID, key Key, found bool) {
	for i, a := range table {
		for _, b := range table[i+1:] {
			if !meet(a.Place, b.Place) || a.Before == b.ID {
				continue
			}
			for _, k := range ks.of[a.ID] {
				if !ks.Has(b.ID, k) {
					continue
				}
				if _, ok := own[b.ID]; ok {
					return a.ID, b.ID, k, true
				}
				return b.ID, a.ID, k, true
			}
		}
	}
	return "", "", Key{}, false
}
