// Package search finds names, values of fields, texts and bytes in files, in folders and in the assets of packages.
//
// The bytes of a file are searched as stored, once, on all processors; then the asset that contains a hit is found.
// Only packed content is expanded, with the same limits as in an extraction, and so are packages in packages. Results
// come in the order of the files, with a line for each unreadable file.
package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strings"
	"sync/atomic"

	"assay/model"
	"assay/model/find"
	"assay/model/folder"
	"assay/model/query"
)

// Search is a search through files and folders.
type Search struct {
	Query *Query
	// OpenFile opens the file at a path, Open an asset that is a file.
	OpenFile func(ctx context.Context, path string) (*model.Document, error)
	Open     model.Opener
	// Formats classifies assets by name.
	Formats Formats
	// MaxHits is the maximum number of hits in a file; 0: no limit.
	MaxHits int
	// MaxExpanded is the maximum number of bytes that an asset may expand to; 0: as many as an extraction writes.
	MaxExpanded int64
	// MaxNested is the maximum number of contents of nested assets of a file that are searched; 0: maxOpened.
	MaxNested int64
	// OmitText omits the Text of hits in bytes.
	OmitText bool
	// SkipExports leaves out the files in default export folders, which are copies.
	SkipExports bool
	// Progress is called from time to time with the number of searched files and bytes, from any goroutine. It may be
	// nil.
	Progress func(files, bytes int64)

	files, bytes, skipped atomic.Int64
}

// SkippedFiles returns the number of files that SkipExports has left out so far.
func (s *Search) SkippedFiles() int64 { return s.skipped.Load() }

// Formats classifies files by name. A nil function counts as one that returns false.
type Formats struct {
	// Opens reports whether a file has names and values: of others only the bytes are searched.
	Opens func(name string) bool
	// Packs reports whether a file may have packed assets.
	Packs func(name string) bool
}

// Hit is one match of a search.
type Hit struct {
	// Assets are the enclosing assets, from the file inwards; empty if it is in the file itself.
	Assets []Asset
	// Expanded is the number of Assets that have to be opened to reach the hit: Path and Span are in the last of them,
	// or in the file.
	Expanded int
	Path     string     // of the node, as Document.Find parses it; may be empty
	Node     string     // the key of the node to open instead, for Document.FindKey; may be empty
	Span     model.Span // the bytes; of a Size below 0: they are nowhere
	Name     string     // the name of the file, asset, or field
	Type     string
	Text     string // the value, or the bytes with some around them
}

// Asset is an asset that a hit is in.
type Asset struct {
	Name  string
	Key   string
	Index int // among the assets of its document
}

// Open opens the content of the asset, in the document that was searched.
func (a *Asset) Open(ctx context.Context, d *model.Document) (*model.Source, error) {
	if d.Payloads != nil && a.Index < d.Payloads.Len() {
		if p := d.Payloads.At(a.Index); p != nil && p.Key == a.Key {
			return d.Nested(ctx, p, model.ExpandLimit)
		}
	}
	return nil, fmt.Errorf("%s: %w", d.Source.Name(), model.ErrChanged)
}

// FileResults is a part of the results for a file. All parts of a file follow one another.
type FileResults struct {
	Name string // the path of the file in the searched folder, with forward slashes; the name of a single file
	Path string // the folder's, as it was given, and the name
	Hits []Hit
	// Problem is the reason why the file, or an asset of it, was not searched to the end; may be empty.
	Problem string
	// Truncated reports whether the file has more hits than the limit.
	Truncated bool
}

// Run searches files and folders, and calls each with the results. An error is from each or ctx.
func (s *Search) Run(ctx context.Context, roots []string, each func(FileResults) error) error {
	ctx = model.Sharing(ctx)
	return model.RunOrdered(ctx, s.tasks(ctx, roots), each)
}

func (s *Search) tasks(ctx context.Context, roots []string) iter.Seq[model.Task[FileResults]] {
	return func(yield func(model.Task[FileResults]) bool) {
		for _, root := range roots {
			proceed := true
			err := folder.WalkAny(ctx, root, func(e folder.Entry) error {
				if s.SkipExports && e.Export {
					s.skipped.Add(1)
					return nil
				}
				if proceed = yield(s.task(e)); !proceed {
					return fs.SkipAll
				}
				return nil
			})
			if !proceed || ctx.Err() != nil {
				return
			}
			if err == nil {
				continue
			}
			if !yield(resultTask(FileResults{Name: model.FileName(root), Path: root, Problem: reason(err)})) {
				return
			}
		}
	}
}

func resultTask(f FileResults) model.Task[FileResults] {
	return func(_ context.Context, emit func(FileResults) error) error { return emit(f) }
}

func (s *Search) task(e folder.Entry) model.Task[FileResults] {
	if e.Problem != "" {
		return resultTask(FileResults{Name: e.Name, Path: e.Path, Problem: e.Problem})
	}
	return func(ctx context.Context, emit func(FileResults) error) error {
		out := &output{search: s, entry: e, emit: emit}
		err := s.openAndSearch(ctx, e, out)
		if errors.Is(err, errEnough) {
			out.truncated, err = true, nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			out.problem = cmp.Or(out.problem, reason(err))
		}
		s.files.Add(1)
		s.progress(0)
		return out.finish()
	}
}

func (s *Search) nestedLimit() int64 { return cmp.Or(s.MaxNested, maxOpened) }

func (s *Search) progress(bytes int64) {
	n := s.bytes.Add(bytes)
	if s.Progress != nil {
		s.Progress(s.files.Load(), n)
	}
}

func (s *Search) openAndSearch(ctx context.Context, e folder.Entry, out *output) error {
	file := &model.Payload{Name: e.Name, Type: strings.TrimPrefix(path.Ext(e.Name), "."), Size: e.Size,
		ModTime: e.ModTime, Stored: model.Span{Size: -1}} // it is not stored in a file
	wholeFile := s.Query.selects(ctx, file)
	if s.Query.Kind == Names && wholeFile && s.Query.assets.Match(ctx, file) {
		if err := out.add(Hit{Span: model.Span{Size: -1}, Name: e.Name, Type: "File"}); err != nil {
			return err
		}
	}
	d, err := s.OpenFile(ctx, e.Path)
	if err != nil {
		return err
	}
	defer d.Source.Close()
	l, err := s.locateAssets(ctx, d, assetLocator{wholeFile: wholeFile})
	if err != nil {
		return err
	}
	defer l.close()
	if err := s.searchFile(ctx, l, out); err != nil {
		return err
	}
	return d.Source.Err()
}

// reason returns why a file cannot be read, without its name.
func reason(err error) string {
	var open *model.OpenError
	if errors.As(err, &open) {
		return open.Reason
	}
	return err.Error()
}

// errEnough ends the search of a file that has more hits than the limit.
var errEnough = errors.New("enough")

// maxPart is the number of hits that are emitted at a time.
const maxPart = 256

// output collects the results for a file.
type output struct {
	search    *Search
	entry     folder.Entry
	emit      func(FileResults) error
	hits      []Hit
	count     int
	problem   string
	truncated bool
}

func (o *output) add(h Hit) error {
	if o.count == o.search.MaxHits && o.count > 0 {
		return errEnough
	}
	o.count++
	if o.hits = append(o.hits, h); len(o.hits) < maxPart {
		return nil
	}
	return o.flush()
}

func (o *output) addProblem(problem string) error {
	if o.problem != "" {
		if err := o.flush(); err != nil {
			return err
		}
	}
	o.problem = problem
	return nil
}

func (o *output) flush() error {
	f := FileResults{Name: o.entry.Name, Path: o.entry.Path, Hits: o.hits, Problem: o.problem, Truncated: o.truncated}
	o.hits, o.problem = nil, ""
	return o.emit(f)
}

// finish emits the remaining results.
func (o *output) finish() error {
	if len(o.hits) == 0 && o.problem == "" && !o.truncated {
		return nil
	}
	return o.flush()
}

func (f Formats) opens(name string) bool { return f.Opens != nil && f.Opens(name) }

// Refers reports whether a file may refer to others, and is no package.
func (f Formats) Refers(name string) bool { return f.opens(name) && !f.packs(name) }

func (f Formats) packs(name string) bool { return f.Packs != nil && f.Packs(name) }

// Kind is the subject of a search.
type Kind string

// The kinds. Names are the names of files, assets and nodes, such as an object; Values are the fields of nodes. Text
// and Bytes are found in the bytes of files and assets.
const (
	Names  Kind = "names"
	Values Kind = "values"
	Text   Kind = "text"
	Bytes  Kind = "bytes"
)

// Terms are the search terms of the user. They are stored as JSON.
type Terms struct {
	Kind Kind `json:"kind"`
	// Text is a filter (see package query) for names and values, else the input of Interpretation.
	Text           string     `json:"text"`
	Interpretation string     `json:"way,omitempty"` // the ID of a find.Interpretation; empty: any text, or bytes in hex
	Order          find.Order `json:"order,omitempty"`
	MatchCase      bool       `json:"match_case,omitempty"`
	// Only is a filter for the files and assets to search, with their content.
	Only string `json:"only,omitempty"`
}

// Query is the parsed Terms.
type Query struct {
	Terms
	nodes          *find.Query      // of names and values
	assets         *find.AssetQuery // the same filter, of assets and files
	pattern        *find.Pattern    // of text and bytes
	interpretation *find.Interpretation
	assetFilter    *find.AssetQuery // nil: all files and assets
}

// Parse parses terms. The error is a sentence.
func (t Terms) Parse() (*Query, error) {
	q := &Query{Terms: t}
	var err error
	switch t.Kind {
	case Names, Values:
		if strings.TrimSpace(t.Text) == "" {
			return nil, errors.New("enter part of a name, a pattern such as *.png, or a condition such as size > 1 MB")
		}
		err = q.parseFilter()
	case Text, Bytes:
		id := t.Interpretation
		if id == "" {
			id = defaultIDs[t.Kind]
		}
		if q.interpretation, err = find.ParseInterpretation(id); err == nil {
			options := find.PatternOptions{MatchCase: t.MatchCase, Order: t.Order}
			q.pattern, err = q.interpretation.Pattern(t.Text, options)
		}
	default:
		err = fmt.Errorf("cannot search %s; use names, values, text, or bytes",
			model.OneLine(string(t.Kind), 100))
	}
	if err == nil && strings.TrimSpace(t.Only) != "" {
		q.assetFilter, err = find.NewAssetQuery(t.Only)
	}
	if err != nil {
		return nil, err
	}
	return q, nil
}

// parseFilter parses the filter of names or values. Names have no fields, so an unknown column is an error.
func (q *Query) parseFilter() (err error) {
	if _, err = query.Parse(q.Text, q.Kind.List()); err != nil {
		return err
	}
	if q.nodes, err = find.NewQuery(q.Text); err != nil {
		return err
	}
	if q.assets, err = find.NewAssetQuery(q.Text); err != nil {
		return err
	}
	q.nodes.NamesOnly, q.assets.NamesOnly = q.Kind == Names, q.Kind == Names
	return nil
}

// List describes the columns of a filter for names or values; nil for searches of bytes.
func (k Kind) List() *query.List {
	if k != Names && k != Values {
		return nil
	}
	return find.AllColumns(k == Values)
}

var defaultIDs = map[Kind]string{Text: find.Interpretations[0].ID, Bytes: find.HexID}

// Highlights returns the texts, in lower case, to highlight in results.
func (q *Query) Highlights() []string {
	switch q.Kind {
	case Names, Values:
		return q.nodes.Filter().RequiredWords()
	case Text:
		return []string{strings.ToLower(q.Terms.Text)}
	}
	return nil
}

func (q *Query) inBytes() bool { return q.pattern != nil }

// selects reports whether a file or an asset is searched as a whole.
func (q *Query) selects(ctx context.Context, p *model.Payload) bool {
	return q.assetFilter == nil || q.assetFilter.Match(ctx, p)
}
