package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/roff"

	"assay/model"
	"assay/model/query"
)

// filtersTopic is the help topic besides commands and formats.
const filtersTopic = "filters"

type helpCommand struct {
	Topic string `arg:"" optional:"" predictor:"topic" help:"A command, a format, or filters."`
}

// Run prints the help of a command, or the page of a format.
func (c *helpCommand) Run(s *session, parser *kong.Kong) error {
	switch c.Topic {
	case "":
		s.status = s.runAgain("--help")
		return nil
	case filtersTopic:
		_, err := fmt.Fprint(s.runner.Out, query.Page())
		return err
	}
	for _, command := range parser.Model.Leaves(false) {
		if command.Name == c.Topic {
			s.status = s.runAgain(command.Name, "--help")
			return nil
		}
	}
	known := false
	for _, page := range opener.Pages() {
		if page.Name == c.Topic {
			s.runner.Page(page)
			known = true
		}
	}
	if !known {
		topics := []string{filtersTopic}
		for _, page := range opener.Pages() {
			if !slices.Contains(topics, page.Name) {
				topics = append(topics, page.Name)
			}
		}
		return fmt.Errorf("unknown command or format %s; %s", model.OneLine(c.Topic, 200),
			commandHint(parser, c.Topic, topics...))
	}
	return nil
}

// commandHint returns a hint with the commands and the other names similar to a mistyped one, and the command that
// lists all commands.
func commandHint(parser *kong.Kong, mistyped string, names ...string) string {
	for _, command := range parser.Model.Leaves(false) {
		names = append(names, command.Name)
	}
	const list = "run assay help to list the commands"
	if similar := model.SimilarNames(mistyped, names); len(similar) > 0 {
		return fmt.Sprintf("did you mean %s? %s", strings.Join(similar, " or "), list)
	}
	return list
}

// usageExample is a command line and its effect.
type usageExample struct{ command, effect string }

// examples are in the help of their commands and in the manual.
var examples = map[string]usageExample{
	"open":       {"assay duck.gpb world.ppac", "opens the window with a tab for each of two files"},
	"tree":       {"assay tree --depth 2 duck.gpb", "prints the first levels of the structure"},
	"dump":       {"assay dump --only /meshes/duckShape duck.gpb", "prints one mesh in full as JSON"},
	"verify":     {"assay verify -r --quiet assets", "lists only the files with problems in a folder"},
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
	"unregister": {"assay unregister", "removes the file types, icons, and thumbnails of Assay from the desktop"},
	"help":       {"assay help extract", "explains one command"},
	"completion": {"source <(assay completion bash)", "enables completion in the current shell"},
}

// exitStatusText explains the exit status of all commands.
const exitStatusText = `The exit status is 0 when all is well. It is 1 if something is damaged or missing, or could not be written in full; everything readable is still printed or written. Notes and guesses do not count. It is 2 if a file cannot be read or written, or the arguments are invalid. For diff: 0 no differences, 1 differences, 2 error. For find: 0 found, 1 not found, 2 error. It is 141 if the reader of the output ends first.`

// filesText lists the files that the program reads and writes besides its arguments.
const filesText = `~/.config/assay: settings, shortcuts, and presets. ~/.local/state/assay: recent files and session state. ~/.local/share/assay/formats: your format descriptions (.ksy). ~/.local/share/assay/notes: your notes. ~/.cache/assay: thumbnails. The variables XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_DATA_HOME and XDG_CACHE_HOME move them.`

// addExamples adds an example to the help of each command.
func addExamples(app *kong.Application) {
	for _, command := range app.Leaves(false) {
		if e, ok := examples[command.Name]; ok {
			command.Detail = "Example: " + e.command + "\n\nIt " + e.effect + "."
		}
	}
}

// manFlag prints the manual page.
type manFlag bool

// BeforeApply prints the manual page and ends the command.
func (manFlag) BeforeApply(app *kong.Kong) error {
	var lines []string
	for _, command := range app.Model.Leaves(false) {
		if e, ok := examples[command.Name]; ok {
			lines = append(lines, e.command+": it "+e.effect+".")
		}
	}
	page := mangokong.NewManPage(1, app.Model).WithSection("Exit status", exitStatusText).
		WithSection("Files", filesText).WithSection("Examples", strings.Join(lines, "\n"))
	_, err := fmt.Fprint(app.Stdout, page.Build(roff.NewDocument()))
	app.Exit(0)
	return err
}

// pageWidth is the maximum number of characters in a line of a page.
const pageWidth = 100

// Page prints the help page of a format.
func (r *Runner) Page(p *model.Page) {
	fmt.Fprintf(r.Out, "%s\n\n", p.Title)
	r.printParagraphs(p.Text, "")
	for _, s := range p.Sections {
		fmt.Fprintf(r.Out, "%s\n\n", s.Title)
		r.printParagraphs(strings.TrimSpace(s.Text+" "+s.Source), "  ")
		for _, t := range s.Terms {
			fmt.Fprintf(r.Out, "  %s\n", t.Title)
			r.printParagraphs(strings.TrimSpace(t.Text+" "+t.Source), "      ")
			for _, v := range t.Values {
				fmt.Fprintf(r.Out, "      %#6x %-6d %s\n", v.Number, v.Number, v.Name)
			}
			if len(t.Values) > 0 || t.Text == "" {
				fmt.Fprintln(r.Out)
			}
		}
	}
}

// printParagraphs prints the paragraphs of a text, each followed by an empty line. Indented examples keep their lines.
func (r *Runner) printParagraphs(text, indent string) {
	for block := range strings.SplitSeq(text, "\n\n") {
		switch {
		case block == "":
			continue
		case strings.HasPrefix(block, "    "):
			fmt.Fprintln(r.Out, block)
		default:
			r.printWrapped(block, indent)
		}
		fmt.Fprintln(r.Out)
	}
}

// printWrapped prints a paragraph in lines of pageWidth.
func (r *Runner) printWrapped(text, indent string) {
	line := indent
	for word := range strings.FieldsSeq(text) {
		if line != indent && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > pageWidth {
			fmt.Fprintln(r.Out, line)
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	fmt.Fprintln(r.Out, line)
}
