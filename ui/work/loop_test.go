package work

import (
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
)

func TestFuncsAfterTheEventLoopAreDropped(t *testing.T) {
	test.NewTempApp(t)
	var l loop
	var called []string
	call := func(name string) { l.do(func() { called = append(called, name) }) }
	l.do(func() { call("before") })
	l.run(func() { call("during") })
	call("after")
	assert.Equal(t, []string{"before", "during"}, called)
}
