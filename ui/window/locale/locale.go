// Package locale keeps the window's toolkit from complaining, in every run of a verb too, about the locale C.UTF-8: it
// looks the locale up when the program starts and takes "C" for the name of a language. Here it is named otherwise
// before: packages that need nothing are initialised first, in the order of their import paths.
package locale

import (
	"os"
	"strings"
)

func init() {
	if name := misread(os.Getenv); name != "" {
		os.Setenv(name, "en_US.UTF-8")
	}
}

// misread returns the variable that determines the language if the toolkit would misread its value, else "".
func misread(env func(name string) string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := env(name); v != "" {
			if strings.HasPrefix(v, "C.") {
				return name
			}
			return ""
		}
	}
	return ""
}
