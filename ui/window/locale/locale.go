// Package locale works around an error of the toolkit: on start it parses the locale C.UTF-8 as a language "C", and
// logs an error, even for commands without a window. The package renames the locale before that. It relies on the order
// of initialization: a package is initialized once its imports are, in the order of import paths.
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
