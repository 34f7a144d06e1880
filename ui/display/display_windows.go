package display

import (
	"errors"
	"fmt"

	"github.com/go-gl/glfw/v3.4/glfw"
)

// Choose checks that there is a display for the window: services of Windows have none, nor has Wine without a display
// driver. Without this check, the toolkit would end the program with the panic recovered here.
func Choose() (err error) {
	defer func() {
		cause := recover()
		if err != nil {
			cause = err
		}
		if cause != nil {
			err = fmt.Errorf("no display available (%v). Start Assay in a desktop session, or use a "+
				"command such as tree or verify", cause)
		}
	}()
	if err := glfw.Init(); err != nil { // the toolkit may call it again
		return err
	}
	if len(glfw.GetMonitors()) == 0 {
		return errors.New("no monitor")
	}
	return nil
}
