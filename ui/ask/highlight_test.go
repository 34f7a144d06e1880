package ask

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMatchesAreHighlighted(t *testing.T) {
	for text, want := range map[string]string{
		"icon_hero.png|HERO":  "icon_[hero].png",
		"icon_hero.png|he ic": "[ic]on_[he]ro.png",
		"icon_hero.png|ihp":   "[i]con_[h]ero.[p]ng",
		"icon_hero.png|xyz":   "",
		"Größe|röß":           "G[röß]e",
		"icon|":               "",
	} {
		name, query, _ := strings.Cut(text, "|")
		got := ""
		for _, p := range highlight(name, query) {
			if p.Highlighted {
				got += "[" + p.Text + "]"
			} else {
				got += p.Text
			}
		}
		assert.Equal(t, want, got, text)
	}
}
