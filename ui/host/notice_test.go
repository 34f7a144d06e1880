package host_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/host"
)

func TestOlderNoticesAreDropped(t *testing.T) {
	test.NewTempApp(t)
	b := host.NewBar()
	b.Show(host.Notice{ID: "file", Text: "It changed.", Actions: []host.Action{{Label: "Reload", On: func() {}}}})
	for _, text := range []string{"one", "two", "three", "three", "four"} {
		b.Show(host.Notice{Text: text})
	}
	assert.Equal(t, []string{"It changed.", "three", "four"}, b.Texts(), "what offers something to do stays longest")
	b.Show(host.Notice{ID: "file", Text: "It is gone."})
	assert.Equal(t, []string{"It is gone.", "three", "four"}, b.Texts())
	b.Remove("file")
	for _, text := range []string{"five", "six"} {
		b.Show(host.Notice{Text: text, Actions: []host.Action{{Label: "Do", On: func() {}}}})
	}
	b.Show(host.Notice{Text: "seven", Actions: []host.Action{{Label: "Do", On: func() {}}}})
	assert.Equal(t, []string{"five", "six", "seven"}, b.Texts())
}

func TestAnErrorIsNotHiddenByALaterNotice(t *testing.T) {
	test.NewTempApp(t)
	b := host.NewBar()
	rows := func() int { return len(b.Content().(*fyne.Container).Objects) }
	b.Show(host.Notice{Text: "It cannot be opened.", Level: host.Error})
	b.Show(host.Notice{Text: "The format is unknown."})
	assert.Equal(t, 2, rows())
	b.Show(host.Notice{Text: "Another one."})
	assert.Equal(t, 2, rows(), "the error, and the latest with a button for the other")
	b.Show(host.Notice{Text: "Another error.", Level: host.Error})
	assert.Equal(t, 1, rows())
}

func TestNoticesOfTheOwnerInView(t *testing.T) {
	test.NewTempApp(t)
	b := host.NewBar()
	b.SetOwner("a")
	b.Show(host.Notice{Text: "of a", Owner: "a"})
	b.Show(host.Notice{Text: "of b", Owner: "b"})
	b.Show(host.Notice{Text: "of the window"})
	assert.Equal(t, []string{"of a", "of the window"}, b.Texts())
	assert.Len(t, b.Content().(*fyne.Container).Objects, 1, "the latest; a button shows the others")
	b.SetOwner("b")
	assert.Equal(t, []string{"of b", "of the window"}, b.Texts())
	b.Forget("b")
	assert.Equal(t, []string{"of the window"}, b.Texts())
}
