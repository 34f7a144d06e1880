package rows

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/host"
	"assay/ui/paint"
)

func TestAListIsSortedBetweenItsTitles(t *testing.T) {
	test.NewTempApp(t)
	l := NewList(host.None{}, paint.NewStyle(), Options{Header: true},
		ListColumn[string]{Title: "Name", Cell: func(s string) Cell { return Cell{Text: s} },
			Value: func(s string) any { return s }},
		ListColumn[string]{Title: "Letters", Cell: func(s string) Cell { return Cell{Text: "of " + s} }})
	l.TitleOf = func(s string) (string, bool) { return s, strings.HasPrefix(s, "#") }
	l.Set([]string{"t10", "t2", "#one", "b", "C", "a"})
	l.SetCurrent(1)
	l.rows.clickTitle(0)
	assert.Equal(t, []string{"t2", "t10", "#one", "a", "b", "C"}, l.Items)
	assert.Zero(t, l.Current(), "the current item stays current")
	l.rows.clickTitle(0)
	assert.Equal(t, []string{"t10", "t2", "#one", "C", "b", "a"}, l.Items)
	l.Set([]string{"x", "y"})
	assert.Equal(t, []string{"y", "x"}, l.Items, "other items are sorted as well")
	l.rows.clickTitle(0)
	assert.Equal(t, []string{"x", "y"}, l.Items)
	l.rows.clickTitle(1)
	assert.Equal(t, []string{"x", "y"}, l.Items, "a column without values")

	l.Set([]string{"ab", "ba", "bc", "a"})
	for _, c := range []struct {
		typed rune
		want  int
	}{{'b', 1}, {'c', 2}} {
		l.rows.TypedRune(c.typed)
		assert.Equal(t, c.want, l.Current())
	}
	l.rows.typedAt = time.Time{}
	l.rows.TypedRune('a')
	assert.Equal(t, 3, l.Current(), "the next one")
	l.rows.TypedRune('q')
	assert.Equal(t, 3, l.Current())
}
