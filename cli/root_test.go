package cli

import "os"

// The tests look at the project from its top: its documents, its packages, its samples. A process that a test starts
// stays in the folder that it is started in.
func init() {
	if _, err := os.Stat("../go.mod"); err != nil {
		return
	}
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
}
