package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"assay/assets"
	"assay/formats"
	"assay/model"
	"assay/model/git"
	"assay/model/notes"
	"assay/model/thumbs"
	"assay/model/userdata"
	"assay/ui"
	"assay/ui/desktop"
)

type openCommand struct {
	Files     []string `arg:"" optional:"" name:"file" help:"The files to open: paths or file:// URIs."`
	Sample    bool     `help:"Open a built-in sample."`
	NewWindow bool     `help:"Open a new window instead of a tab in the existing one."`
}

type compareCommand struct {
	Old       string `arg:"" help:"The old file or folder; with three files, the base version."`
	New       string `arg:"" help:"The new file or folder; with three files, your version."`
	Theirs    string `arg:"" optional:"" help:"The third of three files: theirs."`
	NewWindow bool   `help:"Open a new window instead of a tab in the existing one."`
	Wait      bool   `help:"Open a new window and wait until it is closed (for git difftool)."`
	Path      string `placeholder:"FILE" help:"With --wait: the path of the file in the Git working tree, used in titles."`
}

func (c *openCommand) Run(s *session, parser *kong.Kong) error {
	if len(c.Files) > 0 && isMistyped(c.Files[0]) {
		return fmt.Errorf("%s is not a command and not a file; %s", model.OneLine(c.Files[0], 200),
			commandHint(parser, c.Files[0]))
	}
	files, err := absolutePaths(c.Files)
	if err != nil {
		return err
	}
	return openWindow(s, ui.Options{Files: files, Sample: c.Sample}, c.NewWindow)
}

// isMistyped reports whether the name of a file is more likely a mistyped command: a word, and no such file exists.
func isMistyped(name string) bool {
	if strings.ContainsAny(name, `./\:`) || name == Dash {
		return false
	}
	_, err := os.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

func (c *compareCommand) Run(s *session) error {
	paths := []string{c.Old, c.New}
	if c.Theirs != "" {
		paths = append(paths, c.Theirs)
	}
	files, err := absolutePaths(paths)
	if err != nil {
		return err
	}
	o := ui.Options{Files: files, Compare: true, Wait: c.Wait}
	if c.Wait && c.Path != "" {
		names := git.VersionNames(s.ctx, c.Path, files)
		o.Titles, o.Versions = versionTitles(c.Path, names), fileVersions(c.Path, files, names)
	}
	return openWindow(s, o, c.NewWindow || c.Wait)
}

// fileVersions returns the versions of the file at path that git wrote into files for a difftool, by their paths.
func fileVersions(path string, files, names []string) map[string]*model.FileVersion {
	all := make(map[string]*model.FileVersion)
	abs, err := filepath.Abs(path)
	for i, file := range files {
		switch name := names[i]; {
		case err != nil || !git.IsTemporary(file):
		case name == "" || name == git.Index:
			all[file] = &model.FileVersion{Path: abs}
		default:
			all[file] = git.Version(abs, name)
		}
	}
	return all
}

// versionTitles returns the titles of the versions of a file: its name, followed by the version.
func versionTitles(path string, versions []string) []string {
	all := make([]string, len(versions))
	for i, version := range versions {
		if all[i] = model.FileName(path); version != "" {
			all[i] += " (" + version + ")"
		}
	}
	return all
}

// absolutePaths makes the paths in arguments absolute: another instance may have another current folder. File managers
// may pass file:// URIs.
func absolutePaths(arguments []string) ([]string, error) {
	var files []string
	for _, a := range arguments {
		if a == Dash {
			return nil, errors.New("the window cannot open standard input (-). Save it to a file, or use a command such as tree or dump. For a file named -, write ./-")
		}
		if strings.HasPrefix(a, "file:") {
			u, err := url.Parse(a)
			if err != nil || u.Path == "" || (u.Host != "" && u.Host != "localhost") {
				return nil, fmt.Errorf("%s is not the URI of a local file", a)
			}
			a = model.PathOf(u)
		}
		path, err := filepath.Abs(a)
		if err != nil {
			return nil, err
		}
		files = append(files, path)
	}
	return files, nil
}

// maxAnswerTime is the maximum time to wait for the open window to accept files.
const maxAnswerTime = 5 * time.Second

// maxExitTime is the maximum time that the process waits after its window is closed and everything is written: the
// toolkit may lose its last event and wait forever.
const maxExitTime = 2 * time.Second

// maxThumbnailBytes is the maximum size of the thumbnails of assets on disk, in bytes.
const maxThumbnailBytes = 128 << 20

// openWindow opens the window, or passes the files to the open one. If that does not answer, it opens a new one.
func openWindow(s *session, o ui.Options, newWindow bool) error {
	if err := userdata.Require(); err != nil {
		return err // the toolkit would create folders in the current folder
	}
	o.Token = desktop.TakeToken()
	closeInstance := func() {}
	if !newWindow && hasWindow {
		ctx, cancel := context.WithTimeout(s.ctx, maxAnswerTime)
		instance, accepted, err := desktop.Start(ctx, desktop.RuntimeFolder(),
			desktop.Request{Files: o.Files, Sample: o.Sample, Compare: o.Compare, Token: o.Token})
		cancel()
		switch {
		case accepted:
			return nil
		case err != nil:
			fmt.Fprintf(s.runner.Err, "assay: %v\n", err)
		default:
			closeInstance = sync.OnceFunc(func() { _ = instance.Close() })
			defer closeInstance()
			o.OnRequests = instance.Serve
		}
	}
	o.OnEnded = func(failure error, waitWritten func()) {
		go closeInstance() // the next start opens a new window
		go func() {
			waitWritten()
			status := s.status
			if failure != nil {
				status = s.fail(failure)
			}
			time.AfterFunc(maxExitTime, func() { os.Exit(status) })
		}()
	}
	setData(&o)
	setFormats(&o)
	o.SetDefault = func(ctx context.Context) error { return (&desktopFlags{}).register(ctx, s, true) }
	return showWindow(s.ctx, o)
}

// setData sets the data of the user that the window reads and writes, and the program's own samples.
func setData(o *ui.Options) {
	o.Assignments = userdata.AssignmentsIn(userdata.AssignmentFolder())
	o.Notes = notes.StoreIn(notes.Folder())
	o.Thumbnails = thumbs.New(filepath.Join(userdata.Cache(), "assay", "thumbnails"), maxThumbnailBytes)
	o.Memory = desktop.OpenMemory(filepath.Join(userdata.State(), "assay", "memory.json"))
	o.Version, o.Icon = release(), assets.WindowIcon
	for _, sample := range assets.Samples() {
		o.Samples = append(o.Samples, ui.Sample{Name: sample.Name, Title: sample.Title, Bytes: sample.Bytes})
	}
	for _, s := range assets.Steps() {
		o.Steps = append(o.Steps, ui.Step(s))
	}
}

// setFormats sets how the window recognizes, opens, describes and writes files.
func setFormats(o *ui.Options) {
	assignments := o.Assignments
	setAssignments := func(src *model.Source) { src.SetAssignments(assignments) }
	o.OpenSource = withPreparation(setAssignments, opener.Open)
	open := o.OpenSource
	o.Open = func(ctx context.Context, path string) (*model.Document, error) {
		return model.OpenDocument(ctx, path, "", open)
	}
	o.Descriptions = ui.Kind{Title: "Kaitai Struct description", Extensions: []string{".ksy"}}
	o.Recognize, o.Formats, o.Pages, o.SearchFormats = opener.TitleOf, formatChoices, opener.Pages, searchFormats()
	o.DescribedExtensions = describedExtensions
	o.As = func(id string) (model.Opener, error) {
		open, err := opener.As(id)
		return withPreparation(setAssignments, open), err
	}
	o.Describer, o.DescriptionFolders = describer{}, descriptions()
	o.PackerFor = formats.PackerFor
	for _, f := range formats.All() {
		if f.Packer != nil && o.Package == "" {
			o.Package = f.Packer.Extension
		}
		o.Kinds = append(o.Kinds, ui.Kind{Title: f.Title, Extensions: f.Extensions()})
	}
}
