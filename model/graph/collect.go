package graph

import (
	"cmp"
	"context"
	"fmt"
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
	local    bool   // the path is below the folder of the referring file
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
	facts   *facts
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
	to.local = filepath.IsLocal(name)
	to.file = filepath.Join(c.folder, name)
	if l.Resolve != nil {
		if found, ok := l.Resolve(c.folder); ok {
			to.file, to.local = found, true
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
		r.to = target{file: file, local: true}
	default:
		r.to = target{file: filepath.Join(d.Project, filepath.FromSlash(file)), local: true}
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
