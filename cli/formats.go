package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"assay/assets"
	"assay/formats"
	"assay/formats/kaitai"
	"assay/formats/kaitai/gallery"
	"assay/model"
	"assay/model/userdata"
	"assay/ui"
)

// opener opens files in the built-in formats and by the descriptions of the user and of a project.
var opener = formats.Opener{Gallery: &gallery.Gallery{Bundled: assets.Formats(),
	UserFolders: func() []string { return descriptions().All() }}}

// descriptions returns the folders with this user's descriptions.
func descriptions() gallery.Folders {
	return gallery.Folders{Own: filepath.Join(userdata.Data(), "assay", "formats")}
}

// formatChoices returns the formats that the window offers for a file.
func formatChoices(file string) []ui.Format {
	var all []ui.Format
	for _, c := range opener.Choices(file) {
		f := ui.Format{ID: c.Name, Title: c.Title, From: cmp.Or(c.From, "part of Assay")}
		if c.Err != nil {
			f.Problem = c.Err.Error()
		}
		all = append(all, f)
	}
	return all
}

type formatsCommand struct {
	Add    string `placeholder:"FOLDER" type:"path" help:"Add a folder to search for descriptions (.ksy), including subfolders."`
	Remove string `placeholder:"FOLDER" type:"path" help:"Remove a folder added with --add."`

	Check bool     `help:"Print the errors in the given descriptions, as file:line:column: message. Exit status 1: there are errors."`
	Files []string `arg:"" optional:"" name:"file" help:"Descriptions for --check."`
}

// Run prints a line for each format, with its name, title and extensions, or checks descriptions.
func (c *formatsCommand) Run(s *session) error {
	switch {
	case c.Check && len(c.Files) == 0:
		return errors.New("name the descriptions (.ksy) to check")
	case c.Check:
		return c.check(s)
	case len(c.Files) > 0:
		return errors.New("files can only be given with --check")
	}
	if c.Add != "" {
		if err := descriptions().Add(c.Add); err != nil {
			return err
		}
	}
	if c.Remove != "" {
		if err := descriptions().Remove(c.Remove); err != nil {
			return err
		}
	}
	lines := tabwriter.NewWriter(s.runner.Out, 0, 0, 2, ' ', 0)
	for _, f := range formats.All() {
		fmt.Fprintf(lines, "%s\t%s\t%s\n", f.Name, f.Title, strings.Join(f.Extensions(), " "))
	}
	for _, e := range opener.Gallery.List("") {
		if e.Err != nil {
			fmt.Fprintf(lines, "%s\t%v\t\n", e.Name, e.Err)
			s.status = ExitProblems
			continue
		}
		extensions := strings.Join(e.Description.Extensions, " .")
		if extensions != "" {
			extensions = "." + extensions
		}
		fmt.Fprintf(lines, "%s\t%s (from %s)\t%s\n", e.Name, e.Description.Title, e.File, extensions)
	}
	return lines.Flush()
}

// describedExtensions returns the extensions of the formats with a description, with dots.
func describedExtensions() (extensions []string) {
	for _, e := range opener.Gallery.List("") {
		if e.Err != nil {
			continue
		}
		for _, extension := range e.Description.Extensions {
			extensions = append(extensions, "."+extension)
		}
	}
	return extensions
}

// check prints the errors in descriptions.
func (c *formatsCommand) check(s *session) error {
	for _, file := range c.Files {
		found, err := opener.Gallery.Check(file)
		if err != nil {
			s.status = s.runner.reportError(err)
			continue
		}
		for _, e := range found {
			s.status = max(s.status, ExitProblems)
			_, err := fmt.Fprintf(s.runner.Out, "%s:%d:%d: %s\n", displayPath(e.File), max(e.Line, 1), max(e.Column, 1),
				model.OneLine(e.Message, 400))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// describer implements ui.Describer, which edits descriptions in the window.
type describer struct{}

var _ ui.Describer = describer{}

// Skeleton implements ui.Describer.
func (describer) Skeleton(name string, head []byte) string { return kaitai.Skeleton(name, head) }

// Draft implements ui.Describer.
func (describer) Draft(path string, text []byte) { opener.Gallery.SetDraft(path, text) }

// Complete implements ui.Describer.
func (describer) Complete(text string, line int, prefix string) []string {
	return kaitai.Complete(text, line, prefix)
}

// Fields implements ui.Describer.
func (describer) Fields(text, name string, src *model.Source, span model.Span) (all []ui.Field, err error) {
	sketches, err := kaitai.Sketches(text, name, src, span)
	for _, s := range sketches {
		all = append(all, ui.Field(s))
	}
	return all, err
}
