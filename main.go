// Assay is a desktop browser for game and simulation asset files. With files as arguments it opens its window; with
// a verb it does one thing without a display. The command line is package cli.
package main

import (
	"os"

	"assay/cli"
)

// version is set by the linker (-X main.version=1.2.3): make takes it from git's tags.
var version string

func main() { os.Exit(cli.Main(version)) }
