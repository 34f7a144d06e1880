package cli

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/roff"
)

// usage is a command line that shows how a verb is used, and what it does.
type usage struct{ line, does string }

// examples are in the help of their verbs and in the manual.
var examples = map[string]usage{
	"open":       {"assay duck.gpb world.ppac", "opens the window with a tab for each of two files"},
	"tree":       {"assay tree --depth 2 duck.gpb", "prints the first levels of the structure"},
	"dump":       {"assay dump --only /meshes/duckShape duck.gpb", "prints one mesh in full as JSON"},
	"verify":     {"assay verify -r --quiet assets", "lists files with problems in a folder, and prints nothing if there are none"},
	"find":       {"assay find -i roughness assets", "lists all occurrences of a text in a folder, including packages"},
	"graph":      {"assay graph --part missing assets", "lists files that are referenced but missing"},
	"extract":    {"assay extract --only '*.png' -o pictures world.ppac", "writes the pictures of a package into a folder"},
	"pack":       {"assay pack art -o world.ppac", "writes the files of a folder as a package"},
	"patch":      {"assay patch old.ppac new.ppac -o patch.ppac", "writes a package that turns old.ppac into new.ppac when loaded after it"},
	"diff":       {"assay diff --summary old.ppac new.ppac", "prints a line for each asset that changed"},
	"compare":    {"assay compare old.gpb new.gpb", "shows two versions side by side"},
	"merge":      {"assay merge base.ppac mine.ppac theirs.ppac -o merged.ppac", "merges the changes of two versions of a package"},
	"mergetool":  {"git mergetool -t assay world.ppac", "opens the three versions of a conflict (after git-setup)"},
	"git-setup":  {"assay git-setup", "enables git diff for assets in this repository"},
	"notes":      {"assay notes --json world.ppac > notes.json", "exports the notes on a package, to import on another computer"},
	"thumbnail":  {"assay thumbnail -s 512 duck.gpb duck.png", "draws a picture of 512 × 512 pixels"},
	"formats":    {"assay formats", "lists the names that --format takes"},
	"register":   {"assay register --default", "makes Assay open asset files on double-click"},
	"unregister": {"assay unregister", "removes what register wrote"},
	"help":       {"assay help extract", "explains one verb"},
	"completion": {"source <(assay completion bash)", "enables completion in the current shell"},
}

// exitStatus is the rule for all verbs.
const exitStatus = `The exit status is 0 when all is well. It is 1 if something is damaged or missing, or could not be written in full; everything readable is still printed or written. Notes and guesses do not count. It is 2 if a file cannot be read or written, or the arguments are invalid. For diff: 0 no differences, 1 differences, 2 error. For find: 0 found, 1 not found, 2 error.`

// files is what the program reads and writes besides the files that it is given.
const files = `~/.config/assay: settings, shortcuts, and presets. ~/.local/state/assay: recent files and session state. ~/.local/share/assay/formats: your format descriptions (.ksy). ~/.local/share/assay/notes: your notes. ~/.cache/assay: thumbnails. The variables XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_DATA_HOME and XDG_CACHE_HOME move them.`

// explain puts the example of each verb into its help.
func explain(app *kong.Application) {
	for _, verb := range app.Leaves(false) {
		if e, ok := examples[verb.Name]; ok {
			verb.Detail = "Example: " + e.line + "\n\nIt " + e.does + "."
		}
	}
}

// manFlag prints the manual page.
type manFlag bool

// BeforeApply prints, and ends the command.
func (manFlag) BeforeApply(app *kong.Kong) error {
	var lines []string
	for _, verb := range app.Model.Leaves(false) {
		if e, ok := examples[verb.Name]; ok {
			lines = append(lines, e.line+": it "+e.does+".")
		}
	}
	page := mangokong.NewManPage(1, app.Model).WithSection("Exit status", exitStatus).
		WithSection("Files", files).WithSection("Examples", strings.Join(lines, "\n"))
	_, err := fmt.Fprint(app.Stdout, page.Build(roff.NewDocument()))
	app.Exit(0)
	return err
}
