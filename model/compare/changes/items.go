package changes

import (
	"cmp"
	"context"
	"slices"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
)

// NameOf returns the name of an item for an overview; without a title, the title of the enclosing node.
func NameOf(n *model.Node) string {
	name := n.DisplayName()
	for up := n.Parent; name == "" && up != nil && !compare.IsList(up); up = up.Parent {
		if called := up.DisplayName(); called != "" {
			name = "of " + called
		}
	}
	return model.OneLine(cmp.Or(name, n.Name), 100)
}

// changesOfItem returns the changes of an item, or the facts of an added or removed item.
func (s *changeCollector) changesOfItem(item *collectedItem) contents.Changes {
	p := item.pair
	if p.Status == compare.Added || p.Status == compare.Removed {
		return stated(append(s.factsOf(item), model.Count(p.Node().Size, "byte"))...)
	}
	var out contents.Changes
	moved := p.Relocated || p.Status == compare.Moved
	if moved && isElsewhere(p) {
		out = stated("was in " + s.parentName(p.Old, true) + ", is in " + s.parentName(p.New, false))
	}
	if p.Status == compare.Changed {
		content, known := s.contentChanges(item)
		if !known {
			content = s.describeChanges(item)
		}
		out = append(out, content...)
	}
	if moved && !isElsewhere(p) && !p.Renamed {
		out = append(out, stated(cmp.Or(indexChange(p.Old, p.New), "at another offset"))...)
	}
	return out
}

// isElsewhere reports whether the two nodes of a pair are below parents that do not match.
func isElsewhere(p *compare.Pair) bool {
	up := p.Parent()
	return up == nil || up.Old == nil || up.New == nil || up.Old.PathText() != p.Old.Parent.PathText() ||
		up.New.PathText() != p.New.Parent.PathText()
}

// parentName returns the name of the next item above a node, or else of the list that contains it.
func (s *changeCollector) parentName(n *model.Node, old bool) string {
	for up := n.Parent; up != nil && up.Parent != nil; up = up.Parent {
		if _, ok := s.c.Item(up, old); ok {
			return NameOf(up)
		}
	}
	return model.OneLine(n.Parent.Name, 100)
}

// stated returns sentences as changes.
func stated(sentences ...string) (out contents.Changes) {
	for _, s := range sentences {
		out = append(out, contents.PartChange{How: contents.Stated, Field: s})
	}
	return out
}

// factsOf returns the main facts about an item that was added or removed.
func (s *changeCollector) factsOf(item *collectedItem) []string {
	var out []string
	for _, f := range item.item.Facts {
		out = append(out, f.Name+" "+f.Value)
	}
	if item.item.Content == nil || s.contents == 0 {
		return out
	}
	s.contents--
	if content, err := item.item.Content(s.ctx); err == nil {
		out = append(out, contents.Facts(content)...)
	}
	return out
}

// describeChanges returns the changes of an item field by field, except fields of some kinds.
func (s *changeCollector) describeChanges(item *collectedItem, without ...fieldKind) (out contents.Changes) {
	rest := 0
	for _, ch := range item.changes {
		switch {
		case slices.Contains(without, ch.kind):
		case len(out) == maxItemChanges:
			rest++
		default:
			if ch.pair != nil {
				ch.part = partOf(ch.pair, &s.blocks)
			}
			out = append(out, ch.part)
		}
	}
	if rest > 0 {
		out = append(out, stated(model.Count(rest, "more change"))...)
	}
	return out
}

// contentChanges compares the contents of both versions of an item. It returns false if the contents show no change.
func (s *changeCollector) contentChanges(item *collectedItem) (contents.Changes, bool) {
	old, ok := s.c.Item(item.pair.Old, true)
	if !ok {
		return nil, false
	}
	out := factChanges(old.Facts, item.item.Facts)
	if old.Content != nil && item.item.Content != nil && s.contents > 0 {
		s.contents--
		a, errA := old.Content(s.ctx)
		b, errB := item.item.Content(s.ctx)
		found, err := contents.Compare(s.ctx, a, b, contentOptions(s.c))
		if err := cmp.Or(errA, errB, err); err != nil {
			out = append(out, stated("cannot compare contents: "+model.OneLine(err.Error(), 200))...)
		} else {
			out = append(out, found...)
			if same, known := contents.CommonPart(a, b); len(found) == 0 && known {
				without := []fieldKind{timeField}
				if item.hasOnlyTimeChanges() {
					without = nil
				}
				if len(out) > 0 { // the facts describe the bytes
					without = append(without, blobField)
				}
				out = append(append(out, same), s.describeChanges(item, without...)...)
			} else if contents.IsPartial(b) {
				out = append(out, s.describeChanges(item, timeField, blobField)...)
			}
		}
	}
	if len(out) == 0 && s.contents > 0 {
		if o, part, ok := s.compareAsFiles(old, item.item); ok {
			item.nested = o
			without := []fieldKind{timeField}
			if o != nil {
				without = append(without, blobField)
			}
			out = append(contents.Changes{part}, s.describeChanges(item, without...)...)
		}
	}
	return out, len(out) > 0
}

func contentOptions(c *compare.Comparison) contents.Options {
	return contents.Options{Tolerance: c.Options.Tolerance, Texts: c.Options.Texts}
}

func factChanges(old, new []model.Fact) (out contents.Changes) {
	for _, n := range new {
		for _, o := range old {
			if o.Name == n.Name && o.Value != n.Value {
				out = append(out, contents.PartChange{Field: n.Name, Old: o.Value, New: n.Value})
			}
		}
	}
	return out
}

// Contents reads the contents of both versions of an item. They are nil if there is no content to read.
func Contents(ctx context.Context, c *compare.Comparison, t ItemChange) (old, new any) {
	p := c.At(t.Path)
	if p == nil {
		return nil, nil
	}
	read := func(n *model.Node, isOld bool) any {
		if n == nil {
			return nil
		}
		own, ok := c.Item(n, isOld)
		if !ok || own.Content == nil {
			return nil
		}
		v, err := own.Content(ctx)
		if err != nil {
			return nil
		}
		return v
	}
	return read(p.Old, true), read(p.New, false)
}
