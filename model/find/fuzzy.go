package find

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/sahilm/fuzzy"

	"assay/model"
	"assay/model/archive"
	"assay/model/query"
)

// Named is a node whose key or name is similar to the search text.
type Named struct {
	Path      model.Path
	Name      string // its label, its key, or its name
	Type      string
	TitlePath string
	Omitted   int // number of other fields of this name that are left out; set on the last one that is listed
	key       string
	isField   bool // it has only the name that its format gives it
	size      int64

	namedItem item // the item whose name is the value of this node
}

const (
	maxFuzzy   = 200  // nodes in a result
	fuzzyBatch = 4096 // names that are rated together
	// maxListLength is the length above which only the elements of a list are searched, not their fields.
	maxListLength = 5000
)

// Fuzzy finds the nodes whose keys or names are most similar to a text, the best first. It calls found with the best so
// far after each doubling of the number of nodes, and at the end. An empty text finds the first nodes of the document.
// For many assets, assets has the names; while they are read, progress is called with their number so far.
func Fuzzy(ctx context.Context, d *model.Document, assets *archive.Shared, text string, found func([]Named),
	progress func(n, total int)) error {
	text = strings.TrimSpace(text)
	if text == "" {
		var first []Named
		root := d.Root()
		for i := range min(root.Len(), maxFuzzy) {
			first = append(first, namedNode(root.Child(i)))
		}
		found(first)
		return nil
	}
	defer d.ReadUntil(ctx)()
	s := &fuzzySearch{text: text, fields: map[string]int{}}
	if path, ok := findKey(d, text); ok {
		if n := d.At(path); n != nil {
			exact := namedNode(n)
			s.exact = &exact
		}
	}
	many := hasManyAssets(d)
	var all *archive.Archive
	if many {
		var err error
		if all, err = assets.Read(ctx, func(a *archive.Archive) { progress(a.Len(), a.Total) }); err != nil {
			return err
		}
		if err = s.keepNamed(ctx, d, all); err != nil {
			return err
		}
		found(s.best())
	}
	next := fuzzyBatch
	err := model.Walk(d.Root(), func(n *model.Node) (below bool, err error) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if n.Parent == nil {
			return true, nil
		}
		s.add(n)
		if s.count >= next {
			next *= 2
			found(s.best())
		}
		return n.Parent.Len() <= maxListLength && (!many || n.Len() <= maxListLength), nil
	}, nil)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	best := s.best()
	if found(best); many && len(best) == 0 {
		return s.keepSpelled(ctx, d, all, found)
	}
	return nil
}

// fuzzySearch keeps the best nodes, and a batch of nodes that are not rated yet.
type fuzzySearch struct {
	text      string
	exact     *Named // the node with the text as its key
	top       []scored
	names     []string
	nodes     []*model.Node
	loose     []string // names of the batch without all words, and their positions in it
	positions []int
	count     int
	fields    map[string]int // the number of matching fields of each name
	full      bool           // the maximum number is kept; of these the worst score is
	worst     int
}

type scored struct {
	Named
	score   int
	asset   int // the index of an asset whose node has not been read
	isAsset bool
}

// keepNamed keeps the assets with all words in their names.
func (s *fuzzySearch) keepNamed(ctx context.Context, d *model.Document, assets *archive.Archive) error {
	err := assets.EachNamed(ctx, strings.Fields(strings.ToLower(s.text)), func(i int) bool {
		s.keepAsset(i, wholeScore(assets.Path(i)))
		return true
	})
	s.resolveAssets(d)
	return err
}

// keepSpelled keeps the assets with the letters in order in their names, and calls found with the best.
func (s *fuzzySearch) keepSpelled(ctx context.Context, d *model.Document, assets *archive.Archive,
	found func([]Named)) error {
	letters := strings.Join(strings.Fields(strings.ToLower(s.text)), "")
	for from := 0; from < assets.Len(); from += fuzzyBatch {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.loose = s.loose[:0]
		for i := from; i < min(assets.Len(), from+fuzzyBatch); i++ {
			s.loose = append(s.loose, assets.Path(i))
		}
		for _, m := range fuzzy.FindNoSort(letters, s.loose) {
			s.keepAsset(from+m.Index, min(m.Score, maxLooseScore))
		}
	}
	s.resolveAssets(d)
	found(s.best())
	return ctx.Err()
}

func (s *fuzzySearch) keepAsset(i, score int) {
	if s.keep(scored{asset: i, isAsset: true, score: score}); len(s.top) >= fuzzyBatch {
		s.keepBest()
	}
}

// resolveAssets finds the nodes of the best assets.
func (s *fuzzySearch) resolveAssets(d *model.Document) {
	s.keepBest()
	for i := range s.top {
		if k := &s.top[i]; k.isAsset && k.Path == nil {
			if a := d.Payloads.At(k.asset); a != nil && a.Node != nil {
				k.Named = namedNode(a.Node)
			}
		}
	}
}

// A field has the name that its format gives it, and often is in each element of a list: it scores fieldPenalty less
// than a node with a name of its own, and only the first maxFieldsOfName of a name are kept.
const (
	fieldPenalty    = 500
	maxFieldsOfName = 3
)

// maxLooseScore is the maximum score of a name without all words.
const maxLooseScore = 400

// wholeScore returns the score of a name with all words: the shorter, the higher.
func wholeScore(name string) int { return 1000 - min(len(name), 500) }

// scoreNames calls each for the matching names of the batch: they have all words of the text, or its letters in order.
func (s *fuzzySearch) scoreNames(each func(i, score int)) {
	words := query.Words(s.text)
	letters := strings.Join(strings.Fields(strings.ToLower(s.text)), "")
	names, positions := s.loose[:0], s.positions[:0]
	for i, name := range s.names {
		if query.InAll(words, name) {
			each(i, wholeScore(name))
		} else {
			names, positions = append(names, name), append(positions, i)
		}
	}
	for _, m := range fuzzy.FindNoSort(letters, names) {
		each(positions[m.Index], min(m.Score, maxLooseScore))
	}
	s.loose, s.positions = names, positions
}

func findKey(d *model.Document, key string) (model.Path, bool) {
	if d.FindKey == nil {
		return nil, false
	}
	for _, k := range []string{key, strings.ToLower(key), strings.ToUpper(key)} {
		if path, ok := d.FindKey(k); ok {
			return path, true
		}
	}
	return nil, false
}

// add adds a node to the batch unless its only name is its index.
func (s *fuzzySearch) add(n *model.Node) {
	label := n.DisplayName()
	if label == "" && !n.IsElement() {
		label = n.Name
	}
	if label == "" {
		return
	}
	s.names, s.nodes = append(s.names, label), append(s.nodes, n)
	if s.count++; len(s.names) == fuzzyBatch {
		s.scoreBatch()
	}
}

// scoreBatch scores the batch and keeps the best of all.
func (s *fuzzySearch) scoreBatch() {
	s.scoreNames(func(i, score int) {
		n := s.nodes[i]
		if n.DisplayName() == "" {
			if s.fields[n.Name]++; s.fields[n.Name] > maxFieldsOfName {
				return
			}
			score -= fieldPenalty
		}
		if s.isCandidate(score) {
			s.keep(scored{Named: namedNode(n), score: score})
		}
	})
	s.names, s.nodes = s.names[:0], s.nodes[:0]
	s.keepBest()
}

// isCandidate reports whether a score may be among the best.
func (s *fuzzySearch) isCandidate(score int) bool { return !s.full || score > s.worst }

func (s *fuzzySearch) keep(k scored) {
	if s.isCandidate(k.score) {
		s.top = append(s.top, k)
	}
}

func (s *fuzzySearch) keepBest() {
	sort.SliceStable(s.top, func(i, j int) bool { return s.top[i].score > s.top[j].score })
	s.top = s.top[:min(len(s.top), maxFuzzy)]
	if s.full = len(s.top) == maxFuzzy; s.full {
		s.worst = s.top[maxFuzzy-1].score
	}
}

// best returns the best nodes so far. The last field of a name has the number of those that are left out.
func (s *fuzzySearch) best() []Named {
	s.scoreBatch()
	var out []Named
	if s.exact != nil {
		out = append(out, *s.exact)
	}
	for _, k := range s.top {
		if i := slices.IndexFunc(out, k.isSameItem); i < 0 {
			out = append(out, k.Named)
		} else if out[i].size < k.size {
			out[i] = k.Named
		}
	}
	counted := map[string]bool{}
	for i := len(out) - 1; i >= 0; i-- {
		if n := &out[i]; n.isField && !counted[n.Name] {
			counted[n.Name] = true
			n.Omitted = max(0, s.fields[n.Name]-maxFieldsOfName)
		}
	}
	return out
}

// isSameItem reports whether two nodes represent the same item: an asset and its entry in an index. The larger one is
// the item itself.
func (n *Named) isSameItem(o Named) bool {
	return n.Path.Equal(o.Path) || n.key != "" && n.key == o.key && n.Name == o.Name && n.Type != o.Type
}

func namedNode(n *model.Node) Named {
	name := n.DisplayName()
	return Named{Path: n.Path(), Name: cmp.Or(name, n.Name), Type: n.Type, TitlePath: n.TitlePath(), key: n.Key,
		isField: name == "", size: n.Size}
}
