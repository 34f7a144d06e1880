package host_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/ui/host"
)

func TestChoiceOfTheNearestProjectApplies(t *testing.T) {
	test.NewTempApp(t)
	at := func(name string) string { return filepath.FromSlash(name) }
	c, other := host.Choices[string]("test.one"), host.Choices[int]("test.other")
	none := func(file string) {
		_, ok := c.Of(file)
		assert.False(t, ok, file)
	}
	is := func(want, file string) {
		got, ok := c.Of(file)
		assert.True(t, ok && got == want, "%s: %s", file, got)
	}
	none(at("/games/one/res/a.gpb"))
	c.Set(at("/games/one"), "x")
	is("x", at("/games/one/res/a.gpb"))
	is("x", at("/games/one"))
	none(at("/games/two/res/a.gpb"))
	none("")
	c.Set(at("/games"), "y")
	is("x", at("/games/one/res/a.gpb"))
	is("y", at("/games/two/res/a.gpb"))
	c.Forget(at("/games/one/res/a.gpb"))
	is("y", at("/games/one/res/a.gpb"))
	_, ok := other.Of(at("/games/one"))
	assert.False(t, ok, "another kind of choice")
	for i := range 300 {
		other.Set(at(fmt.Sprintf("/p%d", i)), i)
	}
	v, ok := other.Of(at("/p299/x"))
	assert.True(t, ok && v == 299)
	_, ok = other.Of(at("/p0/x"))
	assert.False(t, ok, "the oldest are forgotten")
}

func TestProjectOfADocumentWithoutAFileIsEmpty(t *testing.T) {
	d := model.NewDocument(model.NewSource("a", strings.NewReader(""), 0), "test", "1", new(model.Node))
	assert.Empty(t, host.ProjectOf(d))
	d.Project = "/games/one"
	assert.Equal(t, "/games/one", host.ProjectOf(d))
	assert.Empty(t, host.ProjectOf(nil))
}
