package display

import (
	"errors"
	"fmt"

	"github.com/go-gl/glfw/v3.4/glfw"
)

// Choose looks whether there is a display that the window can open on: a service of Windows has none, nor has
// Wine without a driver for one. The toolkit would go on and end the program with the panic that is met here.
func Choose() (err error) {
	defer func() {
		cause := recover()
		if err != nil {
			cause = err
		}
		if cause != nil {
			err = fmt.Errorf("there is no display to open the window on (%v): start Assay in a desktop session, or use a "+
				"verb such as tree or verify, which needs none", cause)
		}
	}()
	if err := glfw.Init(); err != nil { // which the toolkit may call again
		return err
	}
	if len(glfw.GetMonitors()) == 0 {
		return errors.New("no monitor")
	}
	return nil
}
