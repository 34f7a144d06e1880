package window

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"assay/model"
	"assay/model/git"
	"assay/ui/comparison"
	"assay/ui/comparison/compared"
	"assay/ui/comparison/three"
	"assay/ui/desktop"
	"assay/ui/files"
	"assay/ui/notice"
	"assay/ui/quick"
	"assay/ui/wording"
)

// comparer opens comparisons in tabs: of two files, of a series of them, of two folders.
type comparer struct {
	w    *Window
	pair []string // files that were opened together and are not both open yet
	// offered are the files that a notice offers to compare, of which so many must be open for that.
	offered []string
	least   int
}

// comparisonTab is a tab with a comparison in it.
type comparisonTab struct {
	Tab
	host       *comparisonHost
	comparison func() *comparison.Comparison // the one in view; nil: there is none
	saved      desktop.Tab
}

// The kinds of comparisons that come back.
const (
	ofFiles   = "files"
	ofHead    = "git"
	ofSeries  = "series"
	ofFolders = "folders"
	ofThree   = "three"
)

func (t *comparisonTab) keep(bool) (desktop.Tab, bool) {
	switch pair, folders := t.Tab.(*files.Pair); { // which may have been swapped
	case folders:
		t.saved.Files = pair.Folders()
	case t.saved.Kind == ofFiles:
		old, new := t.comparison().Sides()
		t.saved.Files = []string{old.Path, new.Path}
	}
	return t.saved, len(t.saved.Files) > 0 && !slices.Contains(t.saved.Files, "")
}

// Close ends the comparison.
func (t *comparisonTab) Close() {
	t.host.Watch()
	t.Tab.Close()
}

// changedOnDisk has the comparison look at its files, if the one at a path is one of them.
func (t *comparisonTab) changedOnDisk(path string) {
	c, ok := t.Tab.(interface{ FilesChanged() })
	if ok && slices.ContainsFunc(t.host.files, func(f *file) bool { return f.isOf(path) }) {
		c.FilesChanged()
	}
}

// maker makes what is in the tab of a comparison, and returns what is in view of it.
type maker func(d compared.Deps) (t Tab, present func() *comparison.Comparison)

func twoSides(old, new compared.Side) maker {
	return func(d compared.Deps) (Tab, func() *comparison.Comparison) {
		c := comparison.New(d, old, new)
		return c, func() *comparison.Comparison { return c }
	}
}

func series(sides []compared.Side) maker {
	return func(d compared.Deps) (Tab, func() *comparison.Comparison) {
		s := comparison.NewSeries(d, sides)
		return s, s.Present
	}
}

func threeSides(base, mine, theirs compared.Side) maker {
	return func(d compared.Deps) (Tab, func() *comparison.Comparison) {
		return three.New(d, base, mine, theirs), nil
	}
}

func (c *comparer) twoFolders(old, new string) maker {
	return func(d compared.Deps) (Tab, func() *comparison.Comparison) {
		return files.NewPair(d, files.PairOptions{Roots: [2]string{old, new}, Opener: c.w.options.Open,
			Files: c.w.exporting}), nil
	}
}

// again makes a comparison of last time in its place.
func (c *comparer) again(in *suspendedTab) {
	var sides []compared.Side
	for _, path := range in.saved.Files {
		sides = append(sides, c.file(path))
	}
	kind, n := in.saved.Kind, len(sides)
	switch {
	case kind == ofFiles && n == 2:
		c.add(in.saved, in, twoSides(sides[0], sides[1]))
	case kind == ofHead && n == 1:
		c.add(in.saved, in, twoSides(c.headOf(sides[0].Path), sides[0]))
	case kind == ofSeries && n > 2:
		c.add(in.saved, in, series(sides))
	case kind == ofFolder && n == 1:
		c.w.openFolder(sides[0].Path, in)
	case kind == ofThree && n == 3:
		c.add(in.saved, in, threeSides(sides[0], sides[1], sides[2]))
	case kind == ofFolders && n == 2:
		c.add(in.saved, in, c.twoFolders(sides[0].Path, sides[1].Path))
	default: // another version of the program wrote it
		c.w.tabs.close(in)
		c.w.Notify(notice.Notice{Level: notice.Warning, Text: fmt.Sprintf("A tab of last time was left out: this version "+
			"of Assay cannot show %q of %s (%s).", model.OneLine(kind, 20), wording.Count(n, "file"), in.Title())})
	}
}

// comparisonOf is the comparison in a tab, or nil.
func comparisonOf(t Tab) *comparison.Comparison {
	if t, ok := t.(*comparisonTab); ok && t.comparison != nil {
		return t.comparison()
	}
	return nil
}

func hasComparison(t Tab) bool { return comparisonOf(t) != nil }

// comparisonHost is the window as a comparison sees it.
type comparisonHost struct {
	tabHost
	*comparer
	files []*file // that are watched
}

// Watch has the tab told when files change on disk: those at paths, and no others any more.
func (h *comparisonHost) Watch(paths ...string) {
	h.files = nil
	for _, path := range paths {
		if path != "" {
			h.files = append(h.files, newFile(path))
		}
	}
	w := h.tabHost.w
	w.watching.set(w.group, h.tab, h.files...)
}

// Open shows a side as a document, at a node.
func (h *comparisonHost) Open(s compared.Side, at model.Path) {
	h.tabHost.w.opener.open(request{title: s.Title, path: s.Path, open: s.Open, then: func(t *docTab) {
		if t != nil && at != nil {
			t.pane.Select(at)
		}
	}})
}

// Export adds the assets of nodes to what is exported.
func (h *comparisonHost) Export(d *model.Document, nodes []*model.Node) {
	h.tabHost.w.exporting.Add(d, func(context.Context) ([]*model.Node, bool, error) { return nodes, false, nil })
}

// Compare opens a comparison of its own.
func (h *comparisonHost) Compare(old, new compared.Side) { h.compare(old, new) }

// add makes the tab of a comparison, in the place of another one or after all, and shows it.
func (c *comparer) add(saved desktop.Tab, in Tab, make maker) {
	t := &comparisonTab{saved: saved}
	h := &comparisonHost{tabHost: tabHost{c.w, c.w, t}, comparer: c}
	t.host = h
	t.Tab, t.comparison = make(compared.Deps{Host: h, Style: c.w.style, Group: c.w.group.Under(),
		OpenSource: c.w.options.OpenSource})
	c.w.notices.Remove(together)
	c.w.tabs.add(t, in)
}

// file is the file at a path, to be compared.
func (c *comparer) file(path string) compared.Side {
	return compared.Side{Title: fileTitle(path), Hint: path, Path: path, Open: c.w.opener.opens(path)}
}

// headOf is the version of a file in git's HEAD, to be compared.
func (c *comparer) headOf(path string) compared.Side {
	return compared.Head(path, c.w.opener.reads(c.w.opener.formatOf(path)))
}

// side is what a tab shows, to be compared.
func (c *comparer) side(tab Tab) (s compared.Side, ok bool) {
	switch t := tab.(type) {
	case *suspendedTab:
		return c.file(t.saved.Files[0]), t.saved.Kind == ""
	case *docTab:
		if t.path == "" {
			return compared.Document(t.pane.Document(), t.title, t.title), true
		}
		return c.file(t.path), true
	}
	return s, false
}

func (c *comparer) can(t Tab) bool {
	_, ok := c.side(t)
	return ok
}

// on is an action on what a tab shows, to be compared.
func (c *comparer) on(do func(s compared.Side)) action {
	return action{Can: c.can, Do: func(t Tab) {
		s, _ := c.side(t)
		do(s)
	}}
}

// compare shows two sides next to each other in a tab: the one that is there, if there is one.
func (c *comparer) compare(old, new compared.Side) {
	if !c.reveal(ofFiles, old.Path, new.Path) && !c.revealSides(old, new) {
		c.add(desktop.Tab{Kind: ofFiles}, nil, twoSides(old, new))
	}
}

// files compares two files or folders, or three files. open, if it is not nil, is called when they are open or cannot
// be: they may be removed then.
func (c *comparer) files(files []string, open func()) {
	var paths []string
	var sides []compared.Side
	for _, f := range files {
		paths = append(paths, absolute(f))
		sides = append(sides, c.file(absolute(f)))
	}
	if open == nil {
		open = func() {}
	}
	kind := ofFiles
	switch {
	case len(files) == 3:
		kind = ofThree
	case model.IsFolder(paths[0]) && model.IsFolder(paths[1]):
		c.folders(paths[0], paths[1])
		open()
		return
	}
	if c.reveal(kind, paths...) {
		open()
		return
	}
	whenOpen(sides, open)
	if kind == ofThree {
		c.add(desktop.Tab{Kind: kind, Files: paths}, nil, threeSides(sides[0], sides[1], sides[2]))
	} else {
		c.add(desktop.Tab{Kind: kind}, nil, twoSides(sides[0], sides[1]))
	}
}

// whenOpen has do called once all sides were opened, or one could not be.
func whenOpen(sides []compared.Side, do func()) {
	var left atomic.Int32
	left.Store(int32(len(sides)))
	for i := range sides {
		open, first := sides[i].Open, sync.OnceFunc(func() { left.Add(-1) })
		sides[i].Open = func(ctx context.Context) (*model.Document, error) {
			d, err := open(ctx)
			if first(); err != nil || left.Load() == 0 {
				do()
			}
			return d, err
		}
	}
}

// reveal shows the tab of a comparison that is there, or was there last time; false if there is none.
func (c *comparer) reveal(kind string, files ...string) bool {
	t := c.w.tabs.find(func(t Tab) bool {
		var saved desktop.Tab
		switch t := t.(type) {
		case *comparisonTab:
			saved, _ = t.keep(true)
		case *suspendedTab:
			saved = t.saved
		}
		return saved.Kind == kind && slices.Equal(saved.Files, files)
	})
	if t == nil || slices.Contains(files, "") {
		return false
	}
	c.w.tabs.reveal(t)
	return true
}

// revealSides shows the tab of a comparison of two sides that is there; false if there is none.
func (c *comparer) revealSides(old, new compared.Side) bool {
	t := c.w.tabs.find(func(t Tab) bool {
		present := comparisonOf(t)
		if present == nil || t.(*comparisonTab).saved.Kind == ofSeries {
			return false
		}
		a, b := present.Sides()
		return a.Same(old) && b.Same(new)
	})
	if t != nil {
		c.w.tabs.reveal(t)
	}
	return t != nil
}

// folders compares the files of two folders, in the tab that is there, if there is one.
func (c *comparer) folders(old, new string) {
	if c.reveal(ofFolders, old, new) {
		return
	}
	c.add(desktop.Tab{Kind: ofFolders, Files: []string{old, new}}, nil, c.twoFolders(old, new))
}

// series steps through files, by their names.
func (c *comparer) series(sides []compared.Side) {
	if len(sides) < 3 {
		c.w.Tell("A series has three files or more: open or drop them together.")
		return
	}
	slices.SortStableFunc(sides, func(a, b compared.Side) int { return model.CompareNames(a.Title, b.Title) })
	saved := desktop.Tab{Kind: ofSeries}
	for _, s := range sides {
		saved.Files = append(saved.Files, s.Path)
	}
	if c.reveal(ofSeries, saved.Files...) {
		return
	}
	c.add(saved, nil, series(sides))
}

// seriesOfTabs steps through the files in the tabs.
func (c *comparer) seriesOfTabs() {
	var sides []compared.Side
	for _, t := range c.w.tabs.all {
		if s, ok := c.side(t); ok && s.Path != "" {
			sides = append(sides, s)
		}
	}
	c.series(sides)
}

// inOrder compares two sides; the file that was changed first is the old one.
func (c *comparer) inOrder(a, b compared.Side) {
	if changedAfter(a.Path, b.Path) {
		a, b = b, a
	}
	c.compare(a, b)
}

func changedAfter(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && x.ModTime().After(y.ModTime())
}

// askFile asks for the file that a side is compared with.
func (c *comparer) askFile(s compared.Side) {
	c.w.ask.File(c.w.folder(), func(path string) { c.inOrder(s, c.file(path)) })
}

// askFolders asks for two folders and compares their files.
func (c *comparer) askFolders() {
	c.w.ask.Folder("The folder with the older files", c.w.folder(), func(old string) {
		c.w.ask.Folder("The folder with the newer files", c.w.folder(), func(new string) { c.folders(old, new) })
	})
}

// askTab compares a side with that of another tab: the only other one, or one that is chosen.
func (c *comparer) askTab(present compared.Side) {
	var others []compared.Side
	for i, t := range c.w.tabs.all {
		if s, ok := c.side(t); ok && i != c.w.tabs.at {
			others = append(others, s)
		}
	}
	switch len(others) {
	case 0:
		c.w.Tell("There is no other file open: open or drop one, or use Compare with File.")
	case 1:
		c.inOrder(present, others[0])
	default:
		c.w.choose("Compare "+present.Title+" with", "", func(_ context.Context, query string, show func([]quick.Item)) {
			var items []quick.Item
			for _, s := range others {
				if contains(query, s.Title, s.Path) {
					items = append(items,
						quick.Item{Name: s.Title, Where: s.Path, On: func() { c.inOrder(present, s) }})
				}
			}
			show(items)
		})
	}
}

// head compares a file with its version in git's HEAD.
func (c *comparer) head(s compared.Side) {
	if s.Path == "" {
		c.w.Tell("This is not a file on disk, so git has no versions of it: export it and open what was written.")
		return
	}
	head := c.headOf(s.Path)
	if !c.reveal(ofHead, s.Path) && !c.revealSides(head, s) {
		c.add(desktop.Tab{Kind: ofHead, Files: []string{s.Path}}, nil, twoSides(head, s))
	}
}

// revision asks for a revision of a file in git, and compares the file with it.
func (c *comparer) revision(s compared.Side) {
	if s.Path == "" {
		c.w.Tell("This is not a file on disk, so git has no versions of it: export it and open what was written.")
		return
	}
	open := c.w.opener.reads(c.w.opener.formatOf(s.Path))
	var all []git.Revision // once they are read
	c.w.choose("Compare "+s.Title+" with its version in", "git has no versions of this file.",
		func(ctx context.Context, query string, show func([]quick.Item)) {
			if all == nil {
				var err error
				if all, err = git.Revisions(ctx, s.Path); err != nil {
					show([]quick.Item{{Name: wording.Sentence(err), On: func() {}}})
					return
				}
			}
			var items []quick.Item
			for _, r := range all {
				if contains(query, r.Subject, r.Hash, r.Author, revisionDate(r)) {
					items = append(items, quick.Item{Name: model.OneLine(r.Subject, 200), Note: revisionDate(r),
						Where: r.Short() + "  " + model.OneLine(r.Author, 60),
						On:    func() { c.compare(compared.Revision(s.Path, r, open), s) }})
				}
			}
			show(items)
		})
}

func revisionDate(r git.Revision) string { return r.Date.Format("2006-01-02 15:04") }

// contains reports whether any of some texts has what was typed in it.
func contains(query string, texts ...string) bool {
	return strings.Contains(strings.ToLower(strings.Join(texts, " ")), strings.ToLower(strings.TrimSpace(query)))
}

// withPresent compares a tab with the one in view.
func (c *comparer) withPresent(t Tab) {
	other, _ := c.side(t)
	present, _ := c.side(c.w.tabs.present())
	c.inOrder(other, present)
}

// dropMost is how many of the files that a drop or a start of the program names are opened: it may be any number.
const dropMost = 200

// together is the notice about files that were opened together.
const together = "together"

// openFiles opens files in tabs. Two of them are offered to be compared, or are compared at once; more are offered as a
// series if they have one extension.
func (c *comparer) openFiles(files []string, compare bool) {
	n := len(files)
	if n == 2 && (compare || model.IsFolder(files[0]) && model.IsFolder(files[1])) || n == 3 && compare {
		c.files(files, nil)
		return
	}
	c.pair = nil
	if len(files) == 2 {
		c.pair = []string{absolute(files[0]), absolute(files[1])}
	}
	first := files[:min(len(files), dropMost)]
	folders := false
	for _, f := range first {
		if model.IsFolder(f) {
			folders = true
			c.w.openFolder(f, nil)
			continue
		}
		c.w.opener.file(f, func(*docTab) { c.offerPair() })
	}
	if len(files) < 3 || folders || len(first) == len(files) && !oneExtension(files) {
		return
	}
	text := fmt.Sprintf("%d files were opened together.", len(files))
	if len(first) < len(files) {
		text = fmt.Sprintf("The first %d of %s are open: open their folder to see all of them.", len(first),
			wording.Count(len(files), "file"))
	}
	all := make([]string, len(files))
	for i, f := range files {
		all[i] = absolute(f)
	}
	c.offer(text, "Step through these", all, 3, func() {
		var sides []compared.Side
		for _, f := range all {
			sides = append(sides, c.file(f))
		}
		c.series(sides)
	})
}

// oneExtension reports whether all files have the same extension.
func oneExtension(files []string) bool {
	return !slices.ContainsFunc(files, func(f string) bool {
		return !strings.EqualFold(filepath.Ext(f), filepath.Ext(files[0]))
	})
}

// offerPair offers to compare the two files that were opened together, once both are open.
func (c *comparer) offerPair() {
	if c.pair == nil {
		return
	}
	a, b := c.w.opener.tabOf(c.pair[0]), c.w.opener.tabOf(c.pair[1])
	if !hasPane(a) || !hasPane(b) {
		return
	}
	old, new := c.pair[0], c.pair[1]
	if c.pair = nil; a != b {
		c.offer(fileTitle(old)+" and "+fileTitle(new)+" were opened together.", "Compare these",
			[]string{old, new}, 2, func() { c.files([]string{old, new}, nil) })
	}
}

// offer offers to compare files, while at least so many of them are open.
func (c *comparer) offer(text, label string, files []string, least int, do func()) {
	c.offered, c.least = files[:min(len(files), dropMost)], least
	c.w.Notify(notice.Notice{ID: together, Text: text, Actions: []notice.Action{{Label: label, On: func() {
		c.w.notices.Remove(together)
		do()
	}}}})
}

// closed withdraws what was offered to be done with files when too few of them are open.
func (c *comparer) closed() {
	open := 0
	for _, f := range c.offered {
		if c.w.opener.tabOf(f) != nil {
			if open++; open == c.least {
				return
			}
		}
	}
	c.offered = nil
	c.w.notices.Remove(together)
}
