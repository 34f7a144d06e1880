// Assay is a desktop browser for game and simulation asset files. With files as arguments it opens its window; with
// a verb it does one thing without a display.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"

	"assay/assets"
	"assay/formats"
	"assay/formats/kaitai/gallery"
	"assay/model"
	"assay/model/assignment"
	"assay/model/git"
	"assay/model/notes"
	"assay/model/query"
	"assay/model/thumbs"
	"assay/model/userdirs"
	"assay/model/verbs"
	"assay/ui"
	"assay/ui/desktop"
	_ "assay/ui/window/locale" // before the toolkit looks at it
)

const about = `A browser for game and simulation asset files.

It shows the structure of a file as a tree, every byte of it, and each value decoded; takes assets out; and puts two versions side by side. Without a verb it opens its window.

A file named - is the standard input, for every verb that opens no window, and a pipe such as <(command) is read to its end, too; a file that has the name of a verb is written ./NAME.

` + exitStatus

// commands is the command line.
type commands struct {
	Open    openCommand    `cmd:"" default:"withargs" help:"Open the window, on files or empty. This runs if no verb is named."`
	Tree    treeCommand    `cmd:"" help:"Print the outline of a file."`
	Dump    dumpCommand    `cmd:"" help:"Print the whole decoded content of a file as JSON."`
	Verify  verifyCommand  `cmd:"" help:"Check structure, coverage and checksums of files, or of all files in folders."`
	Find    findCommand    `cmd:"" help:"Find names, values of fields, texts or bytes in files, folders and packages. Exit status 0: found, 1: not found, 2: trouble."`
	Graph   graphCommand   `cmd:"" help:"Print who uses what in a folder or a package, what is missing, what nobody refers to, and what is there twice."`
	Extract extractCommand `cmd:"" help:"Write the assets of files into a folder."`
	Pack    packCommand    `cmd:"" help:"Write a package of the files in a folder, or of packages one over the other."`
	Patch   patchCommand   `cmd:"" help:"Write a package of what was added or changed between two packages, to be loaded over the old one."`
	Merge   mergeCommand   `cmd:"" help:"Make one file of two versions and the one that both were made from: packages asset by asset, texts by their lines. Exit status 1: there are conflicts, and nothing is written."`
	Diff    diffCommand    `cmd:"" help:"Compare two files, or the files of two folders. Exit status 0: same, 1: different, 2: trouble."`
	Compare compareCommand `cmd:"" help:"Open the window on a comparison of two files or folders, or of two versions with the one that both were made from."`

	Mergetool mergetoolCommand `cmd:"" help:"Open the window on three versions, and write what is taken of them: for git mergetool."`

	GitSetup gitSetupCommand `cmd:"" name:"git-setup" help:"Have git show changes of the files that Assay reads as text, and compare them in the window."`

	Notes notesCommand `cmd:"" help:"List the notes that were made in the window, on a file or on all, or import notes."`

	Thumbnail thumbnailCommand `cmd:"" help:"Write a picture of a file, as file managers show it. Exit status 2: there is nothing to draw."`

	Formats formatsCommand `cmd:"" help:"List the formats that files can be read as."`

	Register   registerCommand   `cmd:"" help:"Tell the desktop of this user the file types, icons and thumbnails of Assay."`
	Unregister unregisterCommand `cmd:"" help:"Remove what register wrote."`

	Help helpCommand `cmd:"" help:"Print what the program or one of its verbs is for, what the fields of a format mean, or how filters are written."`

	Completion completionCommand `cmd:"" help:"Print the script that has bash, zsh or fish complete verbs, flags and files."`

	Version kong.VersionFlag `help:"Print the version."`
	Man     manFlag          `help:"Print the manual page."`
}

type openCommand struct {
	Files     []string `arg:"" optional:"" name:"file" help:"The files to open: paths or file:// URIs."`
	Sample    bool     `help:"Open a sample that the program carries inside itself."`
	NewWindow bool     `help:"Open a window of its own, not a tab in the one that is there."`
}

type compareCommand struct {
	Old       string `arg:"" help:"The old file or folder; of three files the base, from which the two others were made."`
	New       string `arg:"" help:"The new file or folder; of three files mine."`
	Theirs    string `arg:"" optional:"" help:"The third of three files: theirs."`
	NewWindow bool   `help:"Open a window of its own, not a tab in the one that is there."`
	Wait      bool   `help:"Open a window of its own and wait until the comparison is closed, as git difftool expects."`
	Path      string `placeholder:"FILE" help:"With --wait: the file in git's working tree that both are versions of. Titles have its name and those of the revisions."`
}

type gitSetupCommand struct {
	Global bool `help:"For all repositories of this user, not only the one around this folder."`
	Undo   bool `help:"Remove what git-setup wrote."`
}

// formatFlag is what the files are read as where their content is not to decide.
type formatFlag struct {
	Format string `placeholder:"NAME|FILE.ksy" help:"Read the files as this format, or as a Kaitai Struct description says. assay formats lists the names."`
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
	s.open, s.runner.OpenStream = open, open
	s.runner.Open = func(ctx context.Context, path string) (*model.Document, error) {
		return model.OpenDocument(ctx, path, "", open)
	}
	return nil
}

type treeCommand struct {
	formatFlag
	File      string `arg:"" help:"The file."`
	Depth     int    `default:"-1" help:"How many levels below the first node; all by default."`
	NoOffsets bool   `help:"Leave out offsets and sizes, so that a text diff of two outlines shows only what changed."`
	Only      string `predictor:"path" placeholder:"FILTER" help:"Print these nodes and what is below them: a path of names (/header/version), a key of the file, or a filter such as 'class = Texture' (assay help filters)."`
}

type dumpCommand struct {
	formatFlag
	File string `arg:"" help:"The file."`
	Only string `predictor:"path" placeholder:"FILTER" help:"Print these nodes only, one after the other: a path of names (/header/version), a key of the file, or a filter such as 'class = Texture' (assay help filters)."`
}

type formatsCommand struct {
	Add    string `placeholder:"FOLDER" type:"path" help:"Look for descriptions (.ksy) in this folder, too, and in those below it: for instance in a checkout of the published ones."`
	Remove string `placeholder:"FOLDER" type:"path" help:"Do not look in a folder any more that was added."`
}

// filtersTopic is what help explains besides verbs and formats.
const filtersTopic = "filters"

type helpCommand struct {
	Topic string `arg:"" optional:"" predictor:"topic" help:"The verb to explain, the format whose fields are explained, or filters."`
}

// resourcesFlag is the resource folder of files that refer to others.
type resourcesFlag struct {
	Resources string `placeholder:"DIR" help:"Another folder in which materials, textures and other files that the files refer to are looked for."`
}

type verifyCommand struct {
	resourcesFlag
	formatFlag
	Files     []string `arg:"" name:"file" help:"The files; with --recursive also folders."`
	Recursive bool     `short:"r" help:"Enter folders, and read the files in them whose format is recognised."`
	Deep      bool     `help:"Look into contents, too: files that Assay reads, PNG pictures, ZIP archives."`
	JSON      bool     `name:"json" help:"Print the reports as JSON."`
	Quiet     bool     `short:"q" help:"Print only files that have problems; nothing if all is well."`
}

type thumbnailCommand struct {
	resourcesFlag
	File   string   `arg:"" help:"The file."`
	Output []string `arg:"" optional:"" name:"output" help:"The file to write: PNG, or JPEG if its name ends with .jpg. With --sheet: more files to draw."`
	Size   int      `short:"s" default:"256" placeholder:"PX" help:"Edge of the picture in pixels, 16 to 1024; with --sheet of each on it."`
	Sheet  string   `placeholder:"OUTPUT" help:"Draw all files on one picture, each with its name, and write it there; of one file, draw its assets."`
	Dark   bool     `help:"With --sheet: light names on a dark ground."`
}

type registerCommand struct {
	desktopFlags
	Default bool `help:"Also make Assay the program that opens these types."`
}

type unregisterCommand struct {
	desktopFlags
}

type desktopFlags struct {
	System  bool   `help:"For all users: write to /usr/share."`
	Destdir string `placeholder:"DIR" help:"With --system: a folder that stands for / while a package is made."`
	Prefix  string `placeholder:"DIR" help:"With --system: the folder of programs, with share beside bin. Default: /usr."`
}

// session is what a command runs with, and the exit status it leaves.
type session struct {
	ctx    context.Context
	runner *verbs.Runner
	open   func(ctx context.Context, src *model.Source) (*model.Document, error)
	again  func(args ...string) int // runs another command line
	colour bool                     // the result goes to a terminal that shows colours
	status int
	failed sync.Once
}

// fail says, once, why a command could not do its work, and returns the exit status.
func (s *session) fail(err error) int {
	s.failed.Do(func() { fmt.Fprintf(s.runner.Err, "assay: %v\n", err) })
	return verbs.Trouble
}

func (c *openCommand) Run(s *session, parser *kong.Kong) error {
	if len(c.Files) > 0 && mistyped(c.Files[0]) {
		return fmt.Errorf("%s is neither a verb nor a file; %s", model.OneLine(c.Files[0], 200),
			listOfVerbs(parser, c.Files[0]))
	}
	files, err := absolute(c.Files)
	if err != nil {
		return err
	}
	return openWindow(s, ui.Options{Files: files, Sample: c.Sample}, c.NewWindow)
}

// mistyped reports whether the name of a file is more likely that of a verb: a word, and no file has it.
func mistyped(name string) bool {
	if strings.ContainsAny(name, `./\:`) || name == verbs.Stdin {
		return false
	}
	_, err := os.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

func (c *compareCommand) Run(s *session) error {
	given := []string{c.Old, c.New}
	if c.Theirs != "" {
		given = append(given, c.Theirs)
	}
	files, err := absolute(given)
	if err != nil {
		return err
	}
	o := ui.Options{Files: files, Compare: true, Wait: c.Wait}
	if c.Wait && c.Path != "" {
		o.Titles = titles(c.Path, git.Names(s.ctx, c.Path, files))
	}
	return openWindow(s, o, c.NewWindow || c.Wait)
}

// titles are what versions of a file are called: its name, and that of each.
func titles(path string, versions []string) []string {
	all := make([]string, len(versions))
	for i, version := range versions {
		if all[i] = model.FileName(path); version != "" {
			all[i] += " (" + version + ")"
		}
	}
	return all
}

func (c *gitSetupCommand) Run(s *session) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	setup := git.Setup{Folder: ".", Global: c.Global, Program: program, Talk: s.runner.Out}
	if window, err := windowProgram(); err == nil && (hasWindow || window != program) {
		setup.Window = window
	}
	for _, f := range formats.All() {
		if f.Packer != nil {
			setup.Archives = append(setup.Archives, f.Extensions()...)
		} else if f.IsText() { // extensions of texts that are shared are those of anyone's texts
			setup.Texts = append(setup.Texts, f.OwnExtensions()...)
		} else {
			setup.Extensions = append(setup.Extensions, f.Extensions()...)
		}
	}
	if c.Undo {
		return setup.Undo(s.ctx)
	}
	return setup.Write(s.ctx)
}

// answerMax is how long a start waits for the window that is there to take its files.
const answerMax = 5 * time.Second

// endMax is how long the process goes on when its window has closed and everything is written: the toolkit may lose its
// own last event, and wait for ever.
const endMax = 2 * time.Second

// thumbnailsMost is how many bytes of small pictures of assets are kept on disk.
const thumbnailsMost = 128 << 20

// openWindow shows the window, or hands the files to the one that is there. A first instance that does not answer is
// no reason to open nothing.
func openWindow(s *session, o ui.Options, alone bool) error {
	o.Token = desktop.TakeToken()
	giveWay := func() {}
	if !alone && !o.Sample && hasWindow {
		ctx, cancel := context.WithTimeout(s.ctx, answerMax)
		instance, handed, err := desktop.Start(ctx, desktop.RuntimeFolder(),
			desktop.Request{Files: o.Files, Compare: o.Compare, Token: o.Token})
		cancel()
		switch {
		case handed:
			return nil
		case err != nil:
			fmt.Fprintf(s.runner.Err, "assay: %v\n", err)
		default:
			giveWay = sync.OnceFunc(func() { _ = instance.Close() })
			defer giveWay()
			o.Later = instance.Serve
		}
	}
	o.Ended = func(failure error, written func()) {
		go giveWay() // the next start is a first one
		go func() {
			written()
			status := s.status
			if failure != nil {
				status = s.fail(failure)
			}
			time.AfterFunc(endMax, func() { os.Exit(status) })
		}()
	}
	o.Assignments = assignment.In(assignment.Folder())
	assigned := func(src *model.Source) { src.SetAssignments(o.Assignments) }
	o.Notes = notes.In(notes.Folder())
	o.OpenSource, o.Version, o.Icon = after(assigned, opener.Open), release(), assets.WindowIcon
	o.Open = func(ctx context.Context, path string) (*model.Document, error) {
		return model.OpenDocument(ctx, path, "", o.OpenSource)
	}
	o.Descriptions = ui.Kind{Title: "Kaitai Struct description", Extensions: []string{".ksy"}}
	o.Recognise, o.Formats, o.Pages, o.Searched = opener.Recognise, choices, opener.Pages, searched()
	o.As = func(id string) (func(ctx context.Context, src *model.Source) (*model.Document, error), error) {
		open, err := opener.As(id)
		return after(assigned, open), err
	}
	o.DescriptionFolders = descriptions()
	o.Thumbnails = thumbs.New(filepath.Join(userdirs.Cache(), "assay", "thumbnails"), thumbnailsMost)
	o.Memory = desktop.Remember(filepath.Join(userdirs.State(), "assay", "memory.json"))
	o.SetDefault = func(ctx context.Context) error {
		r, err := (&desktopFlags{}).registration(s)
		if err == nil {
			err = r.Register(ctx)
		}
		if err == nil {
			err = r.SetDefault(ctx)
		}
		return err
	}
	for _, sample := range assets.Samples() {
		o.Samples = append(o.Samples, ui.Sample{Name: sample.Name, Title: sample.Title, Bytes: sample.Bytes})
	}
	o.PackerFor = formats.PackerFor
	for _, f := range formats.All() {
		if f.Packer != nil && o.Package == "" {
			o.Package = f.Packer.Extension
		}
		o.Kinds = append(o.Kinds, ui.Kind{Title: f.Title, Extensions: f.Extensions()})
	}
	return showWindow(s.ctx, o)
}

// opener opens files in the formats of the program, and as the descriptions of this user and of a project say.
var opener = formats.Opener{Gallery: &gallery.Gallery{Bundled: assets.Formats(),
	Folders: func() []string { return descriptions().All() }}}

// descriptions are the folders of this user's descriptions.
func descriptions() gallery.Folders {
	return gallery.Folders{Own: filepath.Join(userdirs.Data(), "assay", "formats")}
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
			s.status = verbs.Bad
			continue
		}
		extensions := strings.Join(e.Description.Extensions, " .")
		if extensions != "" {
			extensions = "." + extensions
		}
		fmt.Fprintf(lines, "%s\t%s, as %s says\t%s\n", e.Name, e.Description.Title, e.File, extensions)
	}
	return lines.Flush()
}

// Run prints what --help prints, or the pages of a format.
func (c *helpCommand) Run(s *session, parser *kong.Kong) error {
	switch c.Topic {
	case "":
		s.status = s.again("--help")
		return nil
	case filtersTopic:
		_, err := fmt.Fprint(s.runner.Out, query.Page())
		return err
	}
	for _, verb := range parser.Model.Leaves(false) {
		if verb.Name == c.Topic {
			s.status = s.again(verb.Name, "--help")
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
		return fmt.Errorf("there is no verb and no format %s; %s", model.OneLine(c.Topic, 200),
			listOfVerbs(parser, c.Topic))
	}
	return nil
}

// listOfVerbs says which verb may be meant by a mistyped one, and what lists them all.
func listOfVerbs(parser *kong.Kong, mistyped string) string {
	var verbs []string
	for _, verb := range parser.Model.Leaves(false) {
		verbs = append(verbs, verb.Name)
	}
	const list = "assay help lists the verbs"
	if similar := model.SimilarNames(mistyped, verbs); len(similar) > 0 {
		return fmt.Sprintf("did you mean %s? %s", strings.Join(similar, " or "), list)
	}
	return list
}

// absolute makes absolute paths of arguments: another instance has another folder of its own. File managers may give
// file:// URIs.
func absolute(arguments []string) ([]string, error) {
	var files []string
	for _, a := range arguments {
		if a == verbs.Stdin {
			return nil, errors.New("- is the standard input, which the window cannot show: save it to a file, or use tree, dump or another verb; a file named - is ./-")
		}
		if strings.HasPrefix(a, "file:") {
			u, err := url.Parse(a)
			if err != nil || u.Path == "" || (u.Host != "" && u.Host != "localhost") {
				return nil, fmt.Errorf("%s is not the address of a file on this machine", a)
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

func (c *treeCommand) Run(s *session) error {
	if err := c.use(s); err != nil {
		return err
	}
	s.status = s.runner.Tree(s.ctx, c.File, verbs.TreeOptions{Depth: c.Depth, NoOffsets: c.NoOffsets, Only: c.Only})
	return nil
}

func (c *dumpCommand) Run(s *session) error {
	if err := c.use(s); err != nil {
		return err
	}
	s.status = s.runner.Dump(s.ctx, c.File, c.Only)
	return nil
}

// use has the files that a command opens look there.
func (f *resourcesFlag) use(s *session) error {
	if f.Resources == "" {
		return nil
	}
	if info, err := os.Stat(f.Resources); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is not a folder that can be read, as --resources needs one", model.OneLine(f.Resources, 200))
	}
	folder, err := filepath.Abs(f.Resources)
	if err != nil {
		return err
	}
	s.before(func(src *model.Source) { src.SetResources(folder) })
	return nil
}

// before has something done with the sources of files before they are opened.
func (s *session) before(do func(src *model.Source)) {
	s.open = after(do, s.open)
	s.runner.OpenSource, s.runner.OpenStream = after(do, s.runner.OpenSource), after(do, s.runner.OpenStream)
	s.runner.Open = func(ctx context.Context, path string) (*model.Document, error) {
		return model.OpenDocument(ctx, path, "", s.open)
	}
}

// after returns what opens a source after something was done with it.
func after(do func(src *model.Source), open func(ctx context.Context, src *model.Source) (*model.Document, error),
) func(ctx context.Context, src *model.Source) (*model.Document, error) {
	return func(ctx context.Context, src *model.Source) (*model.Document, error) {
		do(src)
		return open(ctx, src)
	}
}

// useAssignments has models drawn and written with what this user assigned to them by hand. What verify and diff say of
// files is about these alone: it goes into scripts and reviews, where it has to be the same for everyone.
func (s *session) useAssignments() {
	all := assignment.In(assignment.Folder())
	s.before(func(src *model.Source) { src.SetAssignments(all) })
}

func (c *verifyCommand) Run(s *session) error {
	if err := cmp.Or(c.formatFlag.use(s), c.resourcesFlag.use(s)); err != nil {
		return err
	}
	s.status = s.runner.Verify(s.ctx, c.Files,
		verbs.VerifyOptions{Recursive: c.Recursive, Deep: c.Deep, JSON: c.JSON, Quiet: c.Quiet})
	return nil
}

func (c *thumbnailCommand) Run(s *session) error {
	s.useAssignments()
	// File managers run several at once: what is garbage is not kept.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(256 << 20))
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	if err := c.use(s); err != nil {
		return err
	}
	switch {
	case c.Sheet != "":
		s.status = s.runner.ContactSheet(s.ctx, append([]string{c.File}, c.Output...), c.Sheet,
			verbs.SheetOptions{Size: c.Size, Dark: c.Dark})
	case len(c.Output) == 1:
		s.status = s.runner.Thumbnail(s.ctx, c.File, c.Output[0], c.Size)
	default:
		return errors.New("name one file and the picture to write; several files need --sheet OUTPUT")
	}
	return nil
}

func (c *registerCommand) Run(s *session) error {
	r, err := c.registration(s)
	if err == nil {
		err = r.Register(s.ctx)
	}
	if err == nil && c.Default {
		err = r.SetDefault(s.ctx)
	}
	return err
}

func (c *unregisterCommand) Run(s *session) error {
	r, err := c.registration(s)
	if err != nil {
		return err
	}
	return r.Unregister(s.ctx)
}

// registration is what register and unregister work on.
func (f *desktopFlags) registration(s *session) (*desktop.Registration, error) {
	if (f.Destdir != "" || f.Prefix != "") && !f.System {
		return nil, errors.New("--destdir and --prefix need --system: a package is for all users")
	}
	prefix := cmp.Or(f.Prefix, "/usr")
	program, err := windowProgram()
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(cmp.Or(f.Destdir, "/"))
	if err != nil {
		return nil, err
	}
	data := userdirs.Data()
	switch {
	case f.System && !desktop.HasSystem:
		return nil, errors.New("there is no --system here: on Windows and macOS the types are registered for each user")
	case f.System:
		data = filepath.Join(root, prefix, "share")
	}
	if f.Destdir != "" {
		program = installed(program, root, prefix)
	}
	return &desktop.Registration{Data: data, Home: userdirs.Home(), Config: userdirs.Config(),
		State: filepath.Join(userdirs.State(), "assay"), Program: program, Types: formats.FileTypes(),
		Talk: s.runner.Out, Staged: f.Destdir != "",
		Pictures: desktop.Pictures{App: assets.Icon, SVG: assets.IconSVG}}, nil
}

// installed is where a program will be that is staged below root; one that is elsewhere is the package's.
func installed(program, root, prefix string) string {
	if rel, err := filepath.Rel(root, program); err == nil && filepath.IsLocal(rel) {
		return "/" + filepath.ToSlash(rel)
	}
	return path.Join(filepath.ToSlash(prefix), "bin/assay")
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl+C ends the program at once
	talk, show := console()
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, talk)
	stop()
	show(status)
	os.Exit(status)
}

// run runs the command line and returns the exit status.
func run(ctx context.Context, args []string, in io.Reader, out, talk io.Writer) int {
	s := &session{ctx: ctx, open: opener.Open,
		runner: &verbs.Runner{Open: opener.OpenFile, OpenSource: opener.Open, OpenStream: opener.Open, In: in, Out: out,
			Err: talk},
		again: func(args ...string) int { return run(ctx, args, in, out, talk) }, colour: colourful(out)}
	var c commands
	exit := -1
	parser, err := kong.New(&c, append([]kong.Option{kong.Name("assay"), kong.Description(about),
		kong.Writers(out, talk), kong.Exit(func(code int) { exit = code }),
		kong.Vars{"version": "assay " + release()}}, valueKinds...)...)
	if err != nil {
		panic(err) // the command line's own tags are wrong: no input leads here
	}
	explain(parser.Model)
	answerShell(parser)
	k, err := parser.Parse(args)
	if exit >= 0 {
		return exit
	}
	if err != nil {
		fmt.Fprintf(talk, "assay: %s\n", misuse(err))
		return verbs.Trouble
	}
	if err := k.Run(s, parser); err != nil {
		return s.fail(err)
	}
	return s.status
}

// misuse says what is wrong with a command line, and what explains how to write it.
func misuse(err error) string {
	text := strings.ReplaceAll(err.Error(), `,""`, "") // an option that may be empty is not one that people write
	if missing, ok := strings.CutPrefix(text, "expected \"<"); ok {
		text = "an argument is missing: <" + strings.TrimSuffix(missing, `"`)
	}
	var parse *kong.ParseError
	if errors.As(err, &parse) && len(parse.Context.Path) > 1 && parse.Context.Selected() != nil {
		return text + " (assay help " + parse.Context.Selected().Name + " explains it)"
	}
	return text + " (assay help lists the verbs)"
}

// colourful reports whether out is a terminal that shows colours, and plain text was not asked for (no-color.org).
func colourful(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && showsColours(f)
}
