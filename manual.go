package main

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
	"dump":       {"assay dump --only /meshes/duckShape duck.gpb", "prints one mesh, all of it, as JSON"},
	"verify":     {"assay verify -r --quiet assets", "prints the files below a folder that have problems, and nothing if all is well"},
	"find":       {"assay find -i roughness assets", "prints where a text is in the files below a folder, and in the assets of packages among them"},
	"graph":      {"assay graph --part missing assets", "prints what the files below a folder refer to and is not there"},
	"extract":    {"assay extract --only '*.png' -o pictures world.ppac", "writes the pictures of a package into a folder"},
	"pack":       {"assay pack art -o world.ppac", "writes the files of a folder as a package"},
	"patch":      {"assay patch old.ppac new.ppac -o patch.ppac", "writes a package that makes old.ppac the new one when it is loaded over it"},
	"diff":       {"assay diff --summary old.ppac new.ppac", "prints a line for each asset that changed"},
	"compare":    {"assay compare old.gpb new.gpb", "shows two versions side by side"},
	"merge":      {"assay merge base.ppac mine.ppac theirs.ppac -o merged.ppac", "writes what two versions of a package changed as one package"},
	"mergetool":  {"git mergetool -t assay world.ppac", "opens the three versions of a conflict side by side, once git-setup was run"},
	"git-setup":  {"assay git-setup", "lets git diff show what changed in assets of this repository"},
	"notes":      {"assay notes --json world.ppac > notes.json", "writes the notes on a package and its assets, for assay notes --import elsewhere"},
	"thumbnail":  {"assay thumbnail -s 512 duck.gpb duck.png", "draws a picture of 512 × 512 pixels"},
	"formats":    {"assay formats", "lists the names that --format takes"},
	"register":   {"assay register --default", "lets a double click on an asset open Assay"},
	"unregister": {"assay unregister", "removes what register wrote"},
	"help":       {"assay help extract", "explains one verb"},
	"completion": {"source <(assay completion bash)", "lets this shell complete verbs, flags and files"},
}

// exitStatus is the rule for all verbs.
const exitStatus = `The exit status is 0 when all is well. It is 1 when something is damaged, missing, or could not be written in full: what could be read is printed or written all the same. Remarks that cost nothing, such as a guess or a note, never cause it. It is 2 when a file cannot be read or written at all, or the command makes no sense. Of diff it is 0 when nothing differs, 1 when something does, and 2 when the files cannot be compared. Of find it is 0 when something is found, 1 when nothing is, and 2 when a file could not be searched.`

// files is what the program reads and writes besides the files that it is given.
const files = `~/.config/assay: settings, keys and presets. ~/.local/state/assay: recent files and what the window remembers. ~/.local/share/assay/formats: descriptions of formats (.ksy) of this user. ~/.local/share/assay/notes: notes that were made in the window. ~/.cache/assay: thumbnails. The variables XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_DATA_HOME and XDG_CACHE_HOME move them.`

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
