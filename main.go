// Assay is a desktop browser for game and simulation asset files. With files as arguments it opens its window; with
// a verb it does one thing without a display. The command line is package cli.
package main

import (
	"os"

	"assay/cli"
)

// version is the version in FyneApp.toml. With make, the linker sets it to the output of packaging/version.
var version = "0.9.0"

func main() { os.Exit(cli.Main(version)) }
