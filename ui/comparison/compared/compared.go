// Package compared contains the common parts of comparisons: the compared sides and the interfaces that they need from
// the window, the row of a pair of nodes (its sign, tone, values and change), and the head above a comparison (its
// title and the chips of the statuses).
//
// It also has the dialog for the rules, and stores them for later comparisons.
package compared

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/git"
	"assay/ui/host"
	"assay/ui/noted"
	"assay/ui/paint"
	"assay/ui/work"
)

// StaleNotice returns the notice that a file changed on disk after it was compared.
func StaleNotice(err error, compareAgain func()) host.Notice {
	return host.Notice{ID: "stale", Level: host.Warning,
		Text:    host.Sentence(err) + " Showing the version loaded earlier.",
		Actions: []host.Action{{Label: "Compare Again", On: compareAgain}}}
}

// Deps are the dependencies of the panes.
type Deps struct {
	Host
	Style *paint.Style
	Group *work.Group // the pane closes it
	// OpenSource opens a file inside of a file, to draw it. It may be nil.
	OpenSource model.Opener
}

// Host is the interface of the window for comparisons.
type Host interface {
	host.Host
	noted.Placer
	// Open opens a side in a new tab, at a node.
	Open(s Side, path model.Path)
	// AddToExport adds the assets of nodes to the export list.
	AddToExport(d *model.Document, nodes []*model.Node)
	// Compare opens a comparison in a new tab.
	Compare(old, new Side)
	// Watch replaces the watched files: when one of them changes on disk, FilesChanged of the tab is called. Empty
	// paths are ignored.
	Watch(paths ...string)
}

// WritingReport is the text in the status line while a report is written.
const WritingReport = "Writing report"

// SaveWithStop asks for a file and calls write with it, which the user can stop.
func (d Deps) SaveWithStop(name string, write func(ctx context.Context, w io.Writer) error) {
	d.Save(name, func(w io.Writer) error {
		ctx, stop := context.WithCancel(d.Group.Context())
		defer stop()
		d.Group.Do(ctx, func() { d.Busy(WritingReport, -1, stop) })
		defer d.Group.Do(d.Group.Context(), func() { d.Busy("", 0, nil) })
		return write(ctx, w)
	})
}

// Side is one of the two compared files or documents.
type Side struct {
	Title     string
	Hint      string // origin, such as a path
	Path      string // path of the file; empty for a document without a file
	StartPath string // if this is the new side: path of the node to select at first; empty: the first change
	// revision distinguishes the versions of a file in git; empty for a file.
	revision string
	// Open opens it; the caller closes the document's source. It is called again to repeat the comparison.
	Open func(ctx context.Context) (*model.Document, error)
	// Neighbor returns the pair step rows after this one in a list of pairs, whose new side this is, or false after the
	// ends of the list. It is nil without a list.
	Neighbor func(step int) (old, new Side, ok bool)
	// Rules are the rules of the list; nil: the stored rules.
	Rules *compare.Options
}

// IsSame reports whether two sides are one file, or one version of it in git.
func (s Side) IsSame(o Side) bool {
	return s.Path == o.Path && s.revision == o.revision && s.Path+s.revision != ""
}

// Opener opens the file at a path.
type Opener = func(ctx context.Context, path string) (*model.Document, error)

// File returns the file at a path as a side.
func File(path, title string, open Opener) Side {
	return Side{Title: title, Hint: path, Path: path, Open: func(ctx context.Context) (*model.Document, error) {
		return open(ctx, path)
	}}
}

// Document returns the side of an open document.
func Document(d *model.Document, title, hint string) Side {
	return Side{Title: title, Hint: hint, Open: func(context.Context) (*model.Document, error) {
		d.Source.Hold()
		return d, nil
	}}
}

// Head returns the version of a file in the HEAD of the git repository that it is in. git must be installed.
func Head(path string, open model.Opener) Side {
	return gitSide(path, "HEAD", open, func(ctx context.Context) (*model.Source, error) { return git.OpenHead(ctx, path) })
}

// Revision returns the version of a file in a revision of the git repository that it is in.
func Revision(path string, r git.Revision, open model.Opener) Side {
	return gitSide(path, r.ShortHash(), open,
		func(ctx context.Context) (*model.Source, error) { return git.OpenAt(ctx, path, r) })
}

func gitSide(path, revision string, open model.Opener, read func(ctx context.Context) (*model.Source, error)) Side {
	title := model.FileName(path) + " (" + revision + ")"
	return Side{Title: title, Hint: path + " in git's " + revision, revision: path + ":" + revision,
		Open: func(ctx context.Context) (*model.Document, error) {
			src, err := read(ctx)
			if err != nil {
				return nil, err
			}
			return model.OpenSource(ctx, src, open)
		}}
}

// SignWidth is the width of a column of signs.
const SignWidth = 24

// Statuses is a set of statuses of pairs.
type Statuses uint8

const (
	AllStatuses Statuses = 1<<compare.Same | Differing
	Differing   Statuses = 1<<compare.Changed | 1<<compare.Moved | 1<<compare.Added | 1<<compare.Removed
)

// Has reports whether a status is in the set.
func (s Statuses) Has(st compare.Status) bool { return s&(1<<st) != 0 }

// Swapped returns the same set with added and removed exchanged, as after swapping the sides.
func (s Statuses) Swapped() Statuses {
	const added, removed = 1 << compare.Added, 1 << compare.Removed
	if ends := s & (added | removed); ends == added || ends == removed {
		return s ^ (added | removed)
	}
	return s
}

// Any reports whether counts have a row in one of the statuses.
func (s Statuses) Any(c compare.Counts) bool {
	for st := range c.Each() {
		if s.Has(st) {
			return true
		}
	}
	return false
}

// Tone returns the tone of the status of a pair; dim if it has no row.
func Tone(p *compare.Pair) paint.Tone {
	if p.Uncounted {
		return paint.Dim
	}
	return StatusTone(p.Status)
}

// StatusTone returns the tone of a status.
func StatusTone(s compare.Status) paint.Tone { return tones[s] }

var tones = [...]paint.Tone{compare.Same: paint.Dim, compare.Changed: paint.Changed, compare.Moved: paint.Moved,
	compare.Added: paint.Added, compare.Removed: paint.Removed}

// Sign returns the sign of a status for painting: its minus is as wide as the plus.
func Sign(s compare.Status) string {
	if s == compare.Removed {
		return "−"
	}
	return s.Sign()
}

// Open opens the sides that are not open yet.
func Open(ctx context.Context, sides [2]Side, docs [2]*model.Document) ([2]*model.Document, error) {
	for i := range docs {
		if docs[i] != nil {
			continue
		}
		d, err := sides[i].Open(ctx)
		if err != nil {
			return docs, err
		}
		docs[i] = d
	}
	return docs, nil
}

// ChangedOnDisk returns an error if the file of a document changed on disk.
func ChangedOnDisk(docs []*model.Document) (err error) {
	for _, d := range docs {
		if e := d.Source.Changed(); e != nil {
			err = e
		}
	}
	return err
}

// Wrapper steps through changes in a direction. After the last change it reports the end, and the next step wraps
// around.
type Wrapper struct{ endReached int } // the direction of the reached end; 0: none

// Hinter shows hints in the status line.
type Hinter interface{ ShowHint(text string) }

// Step steps by 1 or -1. next selects the next change, or wraps if wrap is set; it returns false at the end.
func (w *Wrapper) Step(hints Hinter, noun string, step int, next func(wrap bool) bool) {
	if wrap := w.endReached == step; next(wrap) {
		w.endReached = 0
		if wrap {
			hints.ShowHint(WrapHint(noun, step))
		}
		return
	} else if wrap {
		w.endReached = 0
		hints.ShowHint("There is no " + noun + ".")
		return
	}
	w.endReached = step
	hints.ShowHint(EndHint(noun, step))
}

// EndHint returns the hint that there are no more changes in a direction.
func EndHint(noun string, step int) string {
	if step < 0 {
		return "No earlier " + noun + ". Press again to go to the last one."
	}
	return "No later " + noun + ". Press again to go to the first one."
}

// WrapHint returns the hint that the steps wrapped around.
func WrapHint(noun string, step int) string {
	if step < 0 {
		return "Continued from the last " + noun + "."
	}
	return "Continued from the first " + noun + "."
}

// Names returns the names of sides for headings and tabs: their titles, with the folders that differ if titles are
// equal.
func Names(sides []Side) []string {
	titles, paths := make([]string, len(sides)), make([]string, len(sides))
	for i, s := range sides {
		titles[i], paths[i] = s.Title, s.Path
	}
	return distinct(titles, paths)
}

// FolderNames returns the names of folders, with the parent folders that differ if names are equal.
func FolderNames(paths []string) []string {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = filepath.Base(p)
	}
	return distinct(names, paths)
}

// distinct makes equal names distinct by their paths.
func distinct(names, paths []string) []string {
	out := slices.Clone(names)
	for i, name := range names {
		isDuplicate := func(k int) bool { return k != i && names[k] == name && paths[k] != "" && paths[k] != paths[i] }
		for k := range names {
			if isDuplicate(k) && paths[i] != "" {
				out[i] = distinctFolder(paths[i], paths[k]) + name
				break
			}
		}
	}
	return out
}

// distinctFolder returns the nearest folder of a path that differs from another path's, with its separator and with
// dots for folders between it and the file; "" if no folder differs.
func distinctFolder(path, rival string) string {
	dirs, otherDirs := folders(path), folders(rival)
	for i, name := range slices.Backward(dirs) { // from the file on, as the nearest names are the most helpful
		k := len(otherDirs) - (len(dirs) - i)
		if k >= 0 && otherDirs[k] == name {
			continue
		}
		if i == len(dirs)-1 {
			return name + "/"
		}
		return name + "/…/"
	}
	if len(dirs) > 0 {
		return dirs[len(dirs)-1] + "/"
	}
	return "/"
}

// folders returns the names of the folders that contain a file.
func folders(path string) []string {
	return strings.FieldsFunc(filepath.ToSlash(filepath.Dir(path)), func(r rune) bool { return r == '/' })
}
