package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"assay/model"
	"assay/model/notes"
)

type notesCommand struct {
	formatFlag
	File string `arg:"" optional:"" help:"List notes on this file only. Default: all files."`
	NotesOptions
}

// NotesOptions are the flags of notes.
type NotesOptions struct {
	JSON   bool   `name:"json" help:"Print the notes as JSON, as --import reads them."`
	Import string `placeholder:"FILE" help:"Import notes from a file written by --json. They apply to files with the same content."`
}

// Run lists or imports notes.
func (c *notesCommand) Run(s *session) error {
	if err := c.apply(s); err != nil {
		return err
	}
	s.status = s.runner.Notes(s.ctx, notes.StoreIn(notes.Folder()), c.File, c.NotesOptions)
	return nil
}

// Notes lists the notes of this user: those on a file, in the order of its bytes, or without a file all of them. With
// Import it imports notes instead; the status is 1 if some of them are invalid.
func (r *Runner) Notes(ctx context.Context, store *notes.Store, file string, o NotesOptions) int {
	if o.Import != "" {
		return r.importNotes(store, file, o.Import)
	}
	sheets, unreadable := store.Sheets()
	var placed []notes.PlacedNote
	if file != "" {
		d, err := r.open(ctx, file, adviceFile)
		if err != nil {
			return r.reportError(err)
		}
		defer d.Source.Close()
		p, err := notes.Place(ctx, d, sheets, nil)
		if err != nil {
			return r.reportError(err)
		}
		placed, sheets = p.All(), presentNotes(sheets, p)
	}
	out := bufio.NewWriter(r.Out)
	switch {
	case o.JSON:
		if err := notes.Export(out, sheets); err != nil {
			return r.reportError(err)
		}
	case file != "":
		printPlaced(out, placed)
	default:
		printSheets(out, sheets)
	}
	if err := out.Flush(); err != nil {
		return r.reportError(err)
	}
	if unreadable != nil {
		fmt.Fprintf(r.Err, "assay: %v\n", unreadable)
		return ExitProblems
	}
	return ExitOK
}

// presentNotes returns the notes of sheets that are present in a document.
func presentNotes(sheets []notes.Sheet, p *notes.Placement) []notes.Sheet {
	present := make(map[string]bool)
	for _, n := range p.Present() {
		present[n.ID] = true
	}
	var all []notes.Sheet
	for _, s := range sheets {
		s.Notes = slices.DeleteFunc(slices.Clone(s.Notes), func(n notes.Note) bool { return !present[n.ID] })
		if len(s.Notes) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// printPlaced prints a line for each note on a file.
func printPlaced(out io.Writer, all []notes.PlacedNote) {
	for _, n := range all {
		version := ""
		if n.Earlier {
			version = "  (of an earlier version)"
		}
		fmt.Fprintf(out, "%v  %-6v  %s  %s%s\n", n.Bytes, n.Color, model.OneLine(n.Node, 400),
			model.OneLine(n.Text, notes.MaxText), version)
	}
}

// printSheets prints the notes of each content below its name.
func printSheets(out io.Writer, sheets []notes.Sheet) {
	for _, s := range sheets {
		fmt.Fprintf(out, "%s, %s\n", model.OneLine(s.Name, 400), model.PlainCount(s.Size, "byte"))
		for _, n := range s.Notes {
			fmt.Fprintf(out, "  %v  %-6v  %s  %s\n", n.Span(), n.Color, model.OneLine(n.Node, 400),
				model.OneLine(n.Text, notes.MaxText))
		}
	}
}

// importNotes adds the notes in a file to the store.
func (r *Runner) importNotes(store *notes.Store, file, source string) int {
	if file != "" {
		return r.reportError(errors.New("--import takes no FILE argument: notes are imported for all files"))
	}
	in := io.NopCloser(r.In)
	if source != Dash {
		f, err := model.OpenShared(source)
		if err != nil {
			return r.reportError(fmt.Errorf("%s cannot be read: %w", displayPath(source), err))
		}
		in = f
	}
	defer in.Close()
	changes, rejected, err := notes.Parse(in)
	if err == nil {
		_, err = store.Apply(changes...)
	}
	if err != nil {
		return r.reportError(fmt.Errorf("%s: %w", displayPath(source), err))
	}
	n := 0
	for _, c := range changes {
		n += len(c.Put)
	}
	fmt.Fprintf(r.Err, "imported %s on %s\n", model.PlainCount(n, "note"), model.PlainCount(len(changes), "file"))
	if rejected > 0 {
		fmt.Fprintf(r.Err, "assay: %s: skipped %s (invalid)\n", displayPath(source), model.PlainCount(rejected, "note"))
		return ExitProblems
	}
	return ExitOK
}
