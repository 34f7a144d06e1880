package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"assay/assets"
	"assay/formats"
	"assay/formats/kaitai/gallery"
	"assay/model"
	"assay/model/userdata"
	"assay/ui"
)

// formatFlag is what the files are read as where their content is not to decide.
type formatFlag struct {
	Format string `placeholder:"NAME|FILE.ksy" help:"Read files as this format or with this Kaitai Struct description (see assay formats)."`
}

// use has the files that a command opens read as that format.
func (f *formatFlag) use(s *session) error {
	if f.Format == "" {
		return nil
	}
	open, err := opener.As(f.Format)
	if err != nil {
		return err
	}
	s.readAs(open)
	return nil
}

// opening opens a source.
type opening = func(ctx context.Context, src *model.Source) (*model.Document, error)

// readAs has files, pipes and the standard input opened so.
func (s *session) readAs(open opening) {
	s.runner.OpenStream = open
	s.runner.Open = func(ctx context.Context, path string) (*model.Document, error) {
		return model.OpenDocument(ctx, path, "", open)
	}
}

// resourcesFlag is the resource folder of files that refer to others.
type resourcesFlag struct {
	Resources string `placeholder:"DIR" help:"Additional folder to search for referenced files, such as materials and textures."`
}

// use has the files that a command opens look there.
func (f *resourcesFlag) use(s *session) error {
	if f.Resources == "" {
		return nil
	}
	if info, err := os.Stat(f.Resources); err != nil || !info.IsDir() {
		return fmt.Errorf("--resources: cannot read the folder %s", model.OneLine(f.Resources, 200))
	}
	folder, err := filepath.Abs(f.Resources)
	if err != nil {
		return err
	}
	s.before(func(src *model.Source) { src.SetResources(folder) })
	return nil
}

// opener opens files in the formats of the program, and as the descriptions of this user and of a project say.
var opener = formats.Opener{Gallery: &gallery.Gallery{Bundled: assets.Formats(),
	UserFolders: func() []string { return descriptions().All() }}}

// descriptions are the folders of this user's descriptions.
func descriptions() gallery.Folders {
	return gallery.Folders{Own: filepath.Join(userdata.Data(), "assay", "formats")}
}

// choices returns what the window offers to open a file as.
func choices(file string) []ui.Format {
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

// before has something done with the sources of files before they are opened.
func (s *session) before(do func(src *model.Source)) {
	s.runner.OpenSource = after(do, s.runner.OpenSource)
	s.readAs(after(do, s.runner.OpenStream))
}

// after returns what opens a source after something was done with it.
func after(do func(src *model.Source), open opening) opening {
	return func(ctx context.Context, src *model.Source) (*model.Document, error) {
		do(src)
		return open(ctx, src)
	}
}

// useAssignments has models drawn and written with what this user assigned to them by hand. What verify and diff say of
// files is about these alone: it goes into scripts and reviews, where it has to be the same for everyone.
func (s *session) useAssignments() {
	all := userdata.AssignmentsIn(userdata.AssignmentFolder())
	s.before(func(src *model.Source) { src.SetAssignments(all) })
}

type formatsCommand struct {
	Add    string `placeholder:"FOLDER" type:"path" help:"Add a folder to search for descriptions (.ksy), including subfolders."`
	Remove string `placeholder:"FOLDER" type:"path" help:"Remove a folder added with --add."`
}

// Run prints a line for each format: its name, title and extensions.
func (c *formatsCommand) Run(s *session) error {
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
			s.status = Bad
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
