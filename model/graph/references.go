package graph

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay/model"
	"assay/model/scene"
)

const (
	maxRefs   = 1 << 18 // references of a file that are stored
	maxNested = 1 << 16 // assets of a package that are opened as files
)

// ref is a reference, before its target is resolved.
type ref struct {
	asset int32 // the number of the asset that it is in; -1: the file
	item  int32 // the number of the item that contains it
	to    target
	name  string
	path  string
	span  model.Span
	count int

	isNested, guessed, optional, missing bool
}

// target is the name of a reference's target.
type target struct {
	file     string // absolute path on disk; if isNested, the name of an asset of the same package; empty: this file
	mayCheck bool   // its existence may be checked: it is below the folder of the referring file, or a format found it
	key      string // of an asset in it
	isNested bool
}

type location struct {
	folder   string // on disk, or, in a package, from its root
	isNested bool
}

// collector collects the references of a file.
type collector struct {
	ctx context.Context
	b   *Builder
	location
	facts   *fileFacts
	asset   int32 // the asset whose content is read, or -1 for the file itself
	indexes map[refKey]int32
	byKey   map[string]int32 // the assets, by their keys
	paths   model.Paths
	isFull  bool
}

// refKey identifies a reference, so that repeated ones are counted.
type refKey struct {
	asset int32
	to    target
}

// collectDocument collects the references of a document, and its assets.
func (c *collector) collectDocument(d *model.Document) {
	c.indexes, c.paths = make(map[refKey]int32), model.Paths{Named: true}
	if d.IsPackage && d.Payloads != nil {
		c.collectAssets(d)
	}
	c.collectLinks(d)
	c.collectGuessed(d)
	if d.IsPackage && d.Payloads != nil {
		c.collectNested(d)
	}
}

func (c *collector) collectAssets(d *model.Document) {
	c.facts.entries = slices.Grow(c.facts.entries, d.Payloads.Len())
	err := model.DescribeEach(c.ctx, d.Payloads, 0, d.Payloads.Len(), func(_ int, p *model.Payload) bool {
		item := Item{Size: -1}
		if p != nil {
			item = Item{Name: p.Name, Key: p.Key, Size: p.Size, Stored: p.Stored, Problem: p.Problem}
		}
		c.facts.add(item)
		return true
	})
	if err != nil {
		c.addProblem(err.Error())
	}
}

func (c *collector) addProblem(problem string) { c.facts.addProblem(0, problem) }

func (c *collector) collectLinks(d *model.Document) {
	defer d.ReadUntil(c.ctx)()
	count := 0
	err := model.Scan(d.Root(), func(n *model.Node) (bool, error) {
		if count++; count%256 == 0 && c.ctx.Err() != nil {
			return false, c.ctx.Err()
		}
		if n.Link != nil {
			c.collectLink(d, n)
		}
		return !c.isFull, nil
	}, nil, nil)
	if err == nil {
		err = c.ctx.Err()
	}
	if err != nil {
		c.addProblem(err.Error())
	}
}

func (c *collector) collectLink(d *model.Document, n *model.Node) {
	l := n.Link
	if l.File == "" && (!d.IsPackage || l.Key == "") {
		return // the target is another part of the same file
	}
	owner := c.asset
	if d.IsPackage && c.asset < 0 {
		key := n.NearestKey()
		if l.File == "" && key == l.Key {
			return // the links of an index to its assets do not count
		}
		owner = c.assetWithKey(key)
	}
	r := ref{asset: owner, isNested: c.isNested, to: target{key: l.Key}, optional: l.Optional}
	if l.File != "" {
		r.to = c.targetOfLink(l)
	} else if l.Target != nil {
		_, found := l.Target()
		r.missing = !found
	}
	c.add(r, l, n)
}

func (c *collector) targetOfLink(l *model.Link) target {
	to := target{file: path.Join(filepath.ToSlash(c.folder), l.File), key: l.Key, isNested: c.isNested}
	if c.isNested {
		if l.Resolve != nil {
			if found, ok := l.Resolve("/" + c.folder); ok {
				to.file = filepath.ToSlash(found)
			}
		}
		to.file = strings.TrimPrefix(path.Clean("/"+to.file), "/")
		return to
	}
	name := filepath.FromSlash(l.File)
	to.mayCheck = filepath.IsLocal(name)
	to.file = filepath.Join(c.folder, name)
	if l.Resolve != nil {
		if found, ok := l.Resolve(c.folder); ok {
			to.file, to.mayCheck = found, true
		}
	}
	return to
}

// add counts a reference, and stores it if it is the first of its kind.
func (c *collector) add(r ref, l *model.Link, n *model.Node) {
	k := refKey{r.asset, r.to}
	if index, ok := c.indexes[k]; ok {
		c.facts.refs[index].count++
		return
	}
	if len(c.facts.refs) == maxRefs {
		c.isFull = true
		c.addProblem(fmt.Sprintf("it has more than %d references; only the first are listed", maxRefs))
		return
	}
	r.name, r.count = model.OneLine(l.Title(), maxText), 1
	if text, ok := n.Value.(string); ok && r.to.file == "" {
		r.name = model.OneLine(cmp.Or(text, r.name), maxText)
	}
	if r.path = c.paths.Text(n); len(r.path) > maxText {
		r.path = ""
	}
	r.span = n.Span
	c.indexes[k] = int32(len(c.facts.refs))
	c.facts.refs = append(c.facts.refs, r)
}

// maxText is the maximum length of a stored name or path, in bytes.
const maxText = 4096

func (c *collector) assetWithKey(key string) int32 {
	if c.byKey == nil {
		c.byKey = make(map[string]int32, c.facts.Len())
		for i := int32(1); int(i) < c.facts.Len(); i++ {
			t := c.facts.Item(i)
			c.byKey[t.Key] = t.Asset
		}
	}
	if i, ok := c.byKey[key]; ok && key != "" {
		return i
	}
	return -1
}

// collectGuessed collects the guessed materials of the scene of a document, whose files are not referenced.
func (c *collector) collectGuessed(d *model.Document) {
	if d.View == nil || d.Project == "" {
		return
	}
	v, err := d.View(c.ctx, d.Root())
	s, ok := v.(*scene.Scene)
	if err != nil || !ok {
		return // problems of the picture are not dependencies
	}
	s.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh == nil {
			return
		}
		for i := range n.Mesh.Parts {
			if m := n.Material(i); m != nil && m.Origin.File != "" {
				c.addGuessed(d, m.Origin.File)
			}
		}
	})
}

func (c *collector) addGuessed(d *model.Document, file string) {
	r := ref{asset: c.asset, name: model.OneLine(path.Base(file), maxText), count: 1, guessed: true}
	switch {
	case c.isNested:
		r.to = target{file: file, isNested: true}
	case path.IsAbs(file) || filepath.IsAbs(file):
		r.to = target{file: file, mayCheck: true}
	default:
		r.to = target{file: filepath.Join(d.Project, filepath.FromSlash(file)), mayCheck: true}
	}
	k := refKey{r.asset, r.to}
	if _, ok := c.indexes[k]; ok || len(c.facts.refs) == maxRefs {
		return
	}
	c.indexes[k] = int32(len(c.facts.refs))
	c.facts.refs = append(c.facts.refs, r)
}

// collectNested collects the references of the files inside of a package.
func (c *collector) collectNested(d *model.Document) {
	opened := 0
	for i := int32(1); int(i) < c.facts.Len(); i++ {
		a := c.facts.Item(i)
		if a.Problem != "" || a.Size == 0 || !c.b.Opens(a.Name) {
			continue
		}
		if opened++; opened > maxNested || c.ctx.Err() != nil {
			c.addProblem(fmt.Sprintf("only the first %d files in it were read", maxNested))
			return
		}
		if err := c.collectFromAsset(d, a.Asset); err != nil {
			c.facts.addProblem(i, err.Error())
		}
	}
}

func (c *collector) collectFromAsset(d *model.Document, asset int32) error {
	p := d.Payloads.At(int(asset))
	if p.Open == nil {
		return nil
	}
	inner, err := d.OpenNested(c.ctx, p, model.ExpandLimit, c.b.Open)
	if err != nil {
		return err
	}
	defer inner.Source.Close()
	if inner.IsPackage {
		return nil // packages in packages are a graph of their own
	}
	nested := *c
	nested.location = location{folder: path.Dir(path.Clean("/" + filepath.ToSlash(p.Name)))[1:], isNested: true}
	nested.asset, nested.isFull, nested.paths = asset, false, model.Paths{Named: true}
	nested.collectLinks(inner)
	nested.collectGuessed(inner)
	return inner.Source.Err()
}

// resolver finds the targets of references.
type resolver struct {
	g      *Graph
	byPath map[string]int32           // the item numbers of the files, by path
	keys   map[int32]map[string]int32 // by FileIndex: the item numbers of the assets, by key
	names  map[int32]map[string]int32 // by FileIndex: the item numbers of the assets, by name
}

func newResolver(g *Graph) *resolver {
	r := &resolver{g: g, byPath: make(map[string]int32, len(g.Paths)), keys: make(map[int32]map[string]int32),
		names: make(map[int32]map[string]int32)}
	for i, item := range g.files {
		r.byPath[g.Paths[i]] = item
	}
	return r
}

// pair identifies a use; a missing target is identified by its name.
type pair struct {
	from, to int32
	name     string
}

// resolve makes uses of references: one for each pair.
func (r *resolver) resolve(refs []ref) {
	indexes := make(map[pair]int)
	for i := range refs {
		f := &refs[i]
		to, found := r.targetOf(f)
		if !found {
			continue
		}
		p := pair{from: f.item, to: to}
		if to == Missing {
			p.name = f.name
		}
		index, isKnown := indexes[p]
		switch {
		case !isKnown:
			index = len(r.g.Uses)
			indexes[p] = index
			r.g.Uses = append(r.g.Uses, Use{From: p.from, To: to, Name: f.name, Path: f.path, Span: f.span,
				Nested: f.isNested, Count: f.count, Guessed: f.guessed})
		case !f.guessed:
			r.g.Uses[index].Count += f.count
		}
		u := &r.g.Uses[index]
		if to != Missing && f.to.key != "" && r.g.IsFile(to) && len(u.Keys) < maxKeys {
			u.Keys = append(u.Keys, f.to.key)
		}
	}
}

// maxKeys is the maximum number of stored keys in the references of one item to another.
const maxKeys = 1000

// targetOf returns the item that a reference refers to, or Missing. It returns false if the reference is not to be
// reported.
func (r *resolver) targetOf(f *ref) (int32, bool) {
	fromFileIndex := r.g.entries[f.item].fileIndex
	fromFile := r.g.FileOf(f.item)
	to := Missing
	switch {
	case f.missing:
	case f.to.file == "":
		to = int(r.findAsset(r.keys, fromFileIndex, f.to.key, assetKey))
		if to == Missing {
			return 0, false // the target is not an asset
		}
	case f.to.isNested:
		to = int(r.findAsset(r.names, fromFileIndex, f.to.file, assetName))
	default:
		if item, ok := r.byPath[f.to.file]; ok {
			to = int(item)
			asset := r.findAsset(r.keys, r.g.entries[item].fileIndex, f.to.key, assetKey)
			if f.to.key != "" && asset != Missing {
				to = int(asset)
			}
		} else if existsOnDisk(f) {
			return 0, false // it is outside of the files that were read
		}
	}
	if to == Missing {
		return Missing, !f.optional && !f.guessed
	}
	return int32(to), int32(to) != f.item && int32(to) != fromFile && r.g.FileOf(int32(to)) != f.item
}

// existsOnDisk reports whether an unread file exists: below the folder of the referring file, or found by a format.
// Other files are not checked, since a path may refer to any folder.
func existsOnDisk(f *ref) bool {
	if !f.to.mayCheck {
		return false
	}
	_, err := os.Stat(f.to.file)
	return err == nil
}

func assetKey(t Item) string { return t.Key }

func assetName(t Item) string { return strings.TrimPrefix(path.Clean("/"+t.Name), "/") }

// findAsset finds the asset of a file whose property is name, or returns Missing. tables has the item numbers of the
// assets by property, for each FileIndex.
func (r *resolver) findAsset(tables map[int32]map[string]int32, fileIndex int32, name string,
	property func(t Item) string) int32 {
	items := tables[fileIndex]
	if items == nil {
		items = make(map[string]int32)
		for i := r.g.files[fileIndex] + 1; int(i) < r.g.Len() && r.g.entries[i].fileIndex == fileIndex; i++ {
			if p := property(r.g.Item(i)); p != "" {
				if _, ok := items[p]; !ok {
					items[p] = i
				}
			}
		}
		tables[fileIndex] = items
	}
	if i, ok := items[name]; ok {
		return i
	}
	return Missing
}
