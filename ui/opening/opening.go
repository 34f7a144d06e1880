// Package opening opens files for tabs, in their recognized or the chosen format. It watches open files for changes,
// and opens comparisons.
package opening

import (
	"context"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/git"
	"assay/ui"
	"assay/ui/ask"
	"assay/ui/comparison"
	"assay/ui/comparison/compared"
	"assay/ui/comparison/three"
	"assay/ui/files"
	"assay/ui/host"
	"assay/ui/tabs"
)

// Kind is the saved name of a kind of comparison.
type Kind = string

// The kinds of comparisons.
const (
	FilesKind   Kind = "files"
	HeadKind    Kind = "git" // a file with its version in Git's HEAD
	SeriesKind  Kind = "series"
	FoldersKind Kind = "folders"
	ThreeKind   Kind = "three"
)

// Tab is the content of a tab of the window.
type Tab interface {
	Title() string
	Hint() string // tooltip of the tab
	Content() fyne.CanvasObject
	// Status returns the segments of the status line for the tab.
	Status() (path, facts []tabs.Segment)
	Focus()
	Close()
}

// Maker creates the tab of a comparison, and a func that returns its visible comparison, or nil if it does not have two
// sides.
type Maker func(d compared.Deps) (t Tab, present func() *comparison.Comparison)

// Window is the part of the window that a Comparer uses.
type Window interface {
	host.Host
	// AddComparison displays a comparison in a new tab. If files are given, the tab is restored in the next session.
	AddComparison(kind Kind, files []string, maker Maker)
	// RevealComparison selects the tab of an existing comparison of files. It reports whether there is one.
	RevealComparison(kind Kind, files ...string) bool
	// RevealSides selects the tab of an existing comparison of two sides. It reports whether there is one.
	RevealSides(old, new compared.Side) bool
	// Side returns the file at a path as a side of a comparison.
	Side(path string) compared.Side
	// UseSameFormat opens sides of unrecognized formats as the format that the user chose for another side.
	UseSameFormat(sides []compared.Side)
	// ReaderOf returns a func that opens a source in the format that the user chose for path, or in the recognized one.
	ReaderOf(path string) model.Opener
	// AskFile and AskFolder ask for the path of an existing file or folder.
	AskFile(title string, done func(path string))
	AskFolder(title string, done func(path string))
	// AskNew asks for the path of an output file, with a suggested name.
	AskNew(title, name string, done func(path string))
	// MergeTarget returns the output file of a three-way merge from the command line, or "", and a func to call once it
	// is written.
	MergeTarget() (path string, written func())
	// Choose opens a list to choose from.
	Choose(question, blank string, search func(ctx context.Context, query string, show func([]ask.Item)))
}

// Comparer opens comparisons in tabs of a window.
type Comparer struct {
	Window
	OpenFile compared.Opener        // opens the files of folders
	Refers   func(name string) bool // reports whether a file with that name may refer to others
	Export   files.Exporter
}

// Restore returns a func that restores a saved comparison, or nil if this version of Assay does not support its kind.
func (c *Comparer) Restore(kind Kind, paths []string) Maker {
	var sides []compared.Side
	for _, path := range paths {
		sides = append(sides, c.Side(path))
	}
	c.UseSameFormat(sides)
	switch n := len(sides); {
	case kind == FilesKind && n == 2:
		return twoSides(sides[0], sides[1])
	case kind == HeadKind && n == 1:
		return twoSides(c.headOf(sides[0]), sides[0])
	case kind == SeriesKind && n > 2:
		return series(sides)
	case kind == ThreeKind && n == 3:
		return c.threeSides(sides)
	case kind == FoldersKind && n == 2:
		return c.twoFolders(paths)
	}
	return nil
}

func twoSides(old, new compared.Side) Maker {
	return func(d compared.Deps) (Tab, func() *comparison.Comparison) {
		c := comparison.New(d, old, new)
		return c, func() *comparison.Comparison { return c }
	}
}

func series(sides []compared.Side) Maker {
	return func(d compared.Deps) (Tab, func() *comparison.Comparison) {
		s := comparison.NewSeries(d, sides)
		return s, s.Current
	}
}

func (c *Comparer) threeSides(sides []compared.Side) Maker {
	return func(d compared.Deps) (Tab, func() *comparison.Comparison) {
		target := three.Target{Ask: c.AskNew}
		target.Path, target.Written = c.MergeTarget()
		return three.New(d, [3]compared.Side(sides), target), nil
	}
}

func (c *Comparer) twoFolders(paths []string) Maker {
	return func(d compared.Deps) (Tab, func() *comparison.Comparison) {
		return files.NewPair(d, files.PairOptions{Roots: [2]string(paths), Opener: c.OpenFile, Refers: c.Refers,
			Files: c.Export}), nil
	}
}

// CompareSides compares two sides in a tab, or selects the existing tab of the comparison.
func (c *Comparer) CompareSides(old, new compared.Side) {
	if !c.RevealComparison(FilesKind, old.Path, new.Path) && !c.RevealSides(old, new) {
		sides := []compared.Side{old, new}
		c.UseSameFormat(sides)
		c.AddComparison(FilesKind, nil, twoSides(sides[0], sides[1]))
	}
}

// ComparePaths compares two files or folders, or three files, at absolute paths. It calls onOpen once all are open or
// one cannot be opened, and at once for folders or if their tab exists. Then the caller may remove the files.
func (c *Comparer) ComparePaths(paths []string, onOpen func()) {
	var sides []compared.Side
	for _, path := range paths {
		sides = append(sides, c.Side(path))
	}
	kind := FilesKind
	switch {
	case len(paths) == 3:
		kind = ThreeKind
	case model.IsFolder(paths[0]) && model.IsFolder(paths[1]):
		c.CompareFolders(paths[0], paths[1])
		onOpen()
		return
	}
	if c.RevealComparison(kind, paths...) {
		onOpen()
		return
	}
	c.UseSameFormat(sides)
	notifyOpen(sides, onOpen)
	if kind == ThreeKind {
		c.AddComparison(kind, paths, c.threeSides(sides))
	} else {
		c.AddComparison(kind, nil, twoSides(sides[0], sides[1]))
	}
}

// notifyOpen calls do as soon as all sides are open or one cannot be opened, and again whenever a side is opened after
// all are open, or fails to open.
func notifyOpen(sides []compared.Side, do func()) {
	var remaining atomic.Int32
	remaining.Store(int32(len(sides)))
	for i := range sides {
		open, countDown := sides[i].Open, sync.OnceFunc(func() { remaining.Add(-1) })
		sides[i].Open = func(ctx context.Context) (*model.Document, error) {
			d, err := open(ctx)
			if countDown(); err != nil || remaining.Load() == 0 {
				do()
			}
			return d, err
		}
	}
}

// CompareFolders compares the files of two folders, or selects the existing tab of the comparison.
func (c *Comparer) CompareFolders(old, new string) {
	if paths := []string{old, new}; !c.RevealComparison(FoldersKind, paths...) {
		c.AddComparison(FoldersKind, paths, c.twoFolders(paths))
	}
}

// CompareSeries compares files as a series, sorted by name.
func (c *Comparer) CompareSeries(sides []compared.Side) {
	if len(sides) < 3 {
		c.ShowHint("A series needs at least three files. Open or drop them together.")
		return
	}
	slices.SortStableFunc(sides, func(a, b compared.Side) int { return model.CompareNames(a.Title, b.Title) })
	var paths []string
	for _, s := range sides {
		paths = append(paths, s.Path)
	}
	if !c.RevealComparison(SeriesKind, paths...) {
		c.AddComparison(SeriesKind, paths, series(sides))
	}
}

// CompareByTime compares two sides. The file with the earlier modification time becomes the old side.
func (c *Comparer) CompareByTime(a, b compared.Side) {
	if isNewer(a.Path, b.Path) {
		a, b = b, a
	}
	c.CompareSides(a, b)
}

func isNewer(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && x.ModTime().After(y.ModTime())
}

// CompareWithFile asks for a file and compares s with it.
func (c *Comparer) CompareWithFile(s compared.Side) {
	c.AskFile("Choose a file to compare with "+s.Title, func(path string) { c.CompareByTime(s, c.Side(path)) })
}

// CompareChosenFolders asks for two folders and compares their files.
func (c *Comparer) CompareChosenFolders() {
	c.AskFolder("Choose the folder with the old version", func(old string) {
		c.AskFolder("Choose the folder with the new version", func(new string) { c.CompareFolders(old, new) })
	})
}

// noVersionsText is the message for an asset without Git versions.
const noVersionsText = "This asset is not a file on disk, so Git has no versions of it. Export it and open the exported file."

// CompareWithHead compares a file with its version in Git's HEAD.
func (c *Comparer) CompareWithHead(s compared.Side) {
	if s.Path == "" {
		c.ShowHint(noVersionsText)
		return
	}
	head := c.headOf(s)
	if !c.RevealComparison(HeadKind, s.Path) && !c.RevealSides(head, s) {
		c.AddComparison(HeadKind, []string{s.Path}, twoSides(head, s))
	}
}

// headOf returns the version of a file in Git's HEAD.
func (c *Comparer) headOf(s compared.Side) compared.Side {
	return compared.Head(s.Path, c.ReaderOf(s.Path))
}

// CompareWithRevision asks for a Git revision of a file and compares the file with it.
func (c *Comparer) CompareWithRevision(s compared.Side) {
	if s.Path == "" {
		c.ShowHint(noVersionsText)
		return
	}
	open := c.ReaderOf(s.Path)
	var all []git.Revision // cached
	c.Choose("Compare "+s.Title+" with Git revision", "Git has no versions of this file.",
		func(ctx context.Context, query string, show func([]ask.Item)) {
			if all == nil {
				var err error
				if all, err = git.Revisions(ctx, s.Path); err != nil {
					show([]ask.Item{{Name: host.Sentence(err), On: func() {}}})
					return
				}
			}
			var items []ask.Item
			for _, r := range all {
				if ask.ContainsWords(query, r.Subject, r.Hash, r.Author, revisionDate(r)) {
					items = append(items, ask.Item{Name: model.OneLine(r.Subject, 200), Note: revisionDate(r),
						Where: r.ShortHash() + "  " + model.OneLine(r.Author, 60),
						On:    func() { c.CompareSides(compared.Revision(s.Path, r, open), s) }})
				}
			}
			show(items)
		})
}

func revisionDate(r git.Revision) string { return r.Date.Format("2006-01-02 15:04") }

// Resources holds the resource folder of each project, which is also searched for references.
const Resources = host.Choices[string]("project.resources")

// ResourcesOf returns the chosen resource folder of the project that contains path, or "".
func ResourcesOf(path string) string {
	folder, _ := Resources.Of(path)
	return folder
}

// HasCurrentResources reports whether a file was opened with the current resource folder of its project.
func HasCurrentResources(src *model.Source) bool { return ResourcesOf(src.Home()) == src.Resources() }

// WithResources returns o with an Open that opens a file with the resource folder of its project.
func WithResources(o ui.Options) ui.Options {
	open, openSource := o.Open, o.OpenSource
	o.Open = func(ctx context.Context, path string) (*model.Document, error) {
		if folder, ok := Resources.Of(path); ok {
			return model.OpenDocument(ctx, path, folder, openSource)
		}
		return open(ctx, path)
	}
	return o
}

// Reader opens files and bytes with the functions of the options.
type Reader struct{ *ui.Options }

// OpenerAs returns a func that opens a file in a format, or in the recognized one if format is "".
func (r Reader) OpenerAs(path, format string) func(ctx context.Context) (*model.Document, error) {
	if format == "" {
		return func(ctx context.Context) (*model.Document, error) { return r.Open(ctx, path) }
	}
	return func(ctx context.Context) (*model.Document, error) {
		return model.OpenDocument(ctx, path, ResourcesOf(path), r.Decoder(format))
	}
}

// OpenerOfUnknown returns a func that opens a file in its recognized format, or in another format if it has none.
func (r Reader) OpenerOfUnknown(path, format string) func(ctx context.Context) (*model.Document, error) {
	read := r.Decoder(format)
	return func(ctx context.Context) (*model.Document, error) {
		return model.OpenDocument(ctx, path, ResourcesOf(path),
			func(ctx context.Context, src *model.Source) (*model.Document, error) {
				if r.Recognize != nil && r.Recognize(src) != "" {
					return r.OpenSource(ctx, src)
				}
				return read(ctx, src)
			})
	}
}

// OpenListed opens a document and lists its assets, so that the UI thread need not wait for the list.
func OpenListed(ctx context.Context, open func(ctx context.Context) (*model.Document, error)) (*model.Document, error) {
	d, err := open(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.FindPayloads(ctx); err != nil {
		model.CloseDocuments(d)
		return nil, err
	}
	return d, nil
}

// Decoder returns a func that decodes bytes in a format, or in the recognized one if format is "".
func (r Reader) Decoder(format string) func(ctx context.Context, src *model.Source) (*model.Document, error) {
	if format == "" {
		return r.OpenSource
	}
	return func(ctx context.Context, src *model.Source) (*model.Document, error) {
		open, err := r.As(format)
		if err != nil {
			return nil, err
		}
		return open(ctx, src)
	}
}

// AssetFormat returns the format that the user chose for assets of this type in the package, or "".
func (r Reader) AssetFormat(content *model.Source) string {
	if r.Memory == nil || content.AssetType() == "" {
		return ""
	}
	return r.Memory.AssetFormat(content.Home(), content.AssetType())
}
