package cli

import "os"

// The tests run in the root folder of the project, where its documents, packages, and samples are. A child process of a
// test keeps its folder.
func init() {
	if _, err := os.Stat("../go.mod"); err != nil {
		return
	}
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
}
