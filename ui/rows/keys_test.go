package rows_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"github.com/stretchr/testify/assert"

	"assay/ui/command"
	"assay/ui/rows"
)

// No key of the commands of lists reaches the host.
func TestEveryKeyOfListsDoesSomething(t *testing.T) {
	r, source, _ := show(t, 50, rows.Options{Multi: true})
	done := func(int64) {}
	r.OnActivate, r.OnExpand, r.OnCollapse, r.OnExpandAll, r.OnCollapseAll = done, done, done, done, done
	r.OnMenu = func(int64, fyne.Position) {}
	r.SetCurrent(20)
	for _, c := range command.All() {
		if c.Scope != command.List || c.ID == "list.copy" { // the host copies if several rows can be selected
			continue
		}
		for _, k := range command.Default().Of(c.ID) {
			source.log.Take()
			if k.Modifier&^fyne.KeyModifierShift != 0 {
				r.TypedShortcut(&desktop.CustomShortcut{KeyName: k.Name, Modifier: k.Modifier})
			} else {
				if k.Modifier != 0 {
					r.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
				}
				r.TypedKey(&fyne.KeyEvent{Name: k.Name})
				r.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
			}
			assert.Empty(t, source.log.Take(), "%s: %s", c.ID, k)
		}
	}
}
