package search

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/model"
	"assay/model/find"
	"assay/model/query"
)

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
