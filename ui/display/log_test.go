package display

import (
	"bytes"
	"errors"
	"io"
	"log"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
)

func TestToolkitLogHoldsErrorsBack(t *testing.T) {
	var out bytes.Buffer
	c := NewToolkitLog(&out)
	defer log.SetOutput(log.Writer())
	log.SetOutput(c)

	fyne.LogError("window creation error", errors.New("APIUnavailable: no OpenGL"))
	fyne.LogError("Preferences load error:", io.EOF)
	assert.Empty(t, out.String(), "it is held back")
	assert.Equal(t, "APIUnavailable: no OpenGL", c.Cause())

	c.Release()
	assert.Contains(t, out.String(), "Cause: APIUnavailable: no OpenGL\n")
	fyne.LogError("Preferences load error:", io.EOF)
	fyne.LogError("failed to watch theme settings", errors.New("dbus: no address"))
	assert.Contains(t, out.String(), "assay: no session bus; ")
	assert.NotContains(t, out.String(), "no address")
	fyne.LogError("Unable to create settings storage:", errors.New("mkdir /nonexistent: permission denied"))
	fyne.LogError("Failed on saving preferences", errors.New("mkdir /nonexistent: permission denied"))
	assert.Equal(t, 1, strings.Count(out.String(), "assay: cannot save settings in the home folder; "))
	assert.NotContains(t, out.String(), "nonexistent")
	fyne.LogError("other", nil)
	assert.Contains(t, out.String(), "Fyne error:  other\n")
	assert.NotContains(t, out.String(), "EOF")
	assert.NotContains(t, out.String(), "Preferences")
}
