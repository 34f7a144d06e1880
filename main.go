// Assay is a desktop browser for game and simulation asset files. With files as arguments it opens its window; with
// a verb it does one thing without a display. The command line is package cli.
package main

import (
	"os"

	"assay/cli"
)

// version is that of FyneApp.toml. With make, the linker sets it to the one that packaging/version finds.
var version = "0.9.0"

func main() { os.Exit(cli.Main(version)) }
