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

// Kind is what is searched.
type Kind string

// The kinds. Names are those of files, assets and whatever has one in a file, such as an object; Values are the fields
// of such things. Text and Bytes are looked for in the bytes of files and assets.
const (
	Names  Kind = "names"
	Values Kind = "values"
	Text   Kind = "text"
	Bytes  Kind = "bytes"
)

// Kinds are all kinds.
var Kinds = []Kind{Names, Values, Text, Bytes}

// Terms are what a person asks for. They are kept as JSON.
type Terms struct {
	Kind Kind `json:"kind"`
	// Text is a filter (see package query) for names and values, else what Way reads.
	Text      string     `json:"text"`
	Way       string     `json:"way,omitempty"` // the ID of one of find.Ways; empty: any text, or bytes in hex
	Order     find.Order `json:"order,omitempty"`
	MatchCase bool       `json:"match_case,omitempty"`
	// Only is a filter for the files and assets that are searched: what is in one that it fits is searched.
	Only string `json:"only,omitempty"`
}

// Query is what is searched for.
type Query struct {
	Terms
	nodes   *find.Query      // of names and values
	assets  *find.AssetQuery // the same filter, of assets and files
	pattern *find.Pattern    // of text and bytes
	way     *find.Way
	only    *find.AssetQuery // nil: all files and assets
}

// Parse reads terms. An error says what is wrong with them, in a sentence.
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
		id := t.Way
		if id == "" {
			id = defaultWays[t.Kind]
		}
		if q.way, err = find.WayOf(id); err == nil {
			q.pattern, err = q.way.Pattern(t.Text, find.WayOptions{MatchCase: t.MatchCase, Order: t.Order})
		}
	default:
		err = fmt.Errorf("cannot search %s; use names, values, text, or bytes",
			model.OneLine(string(t.Kind), 100))
	}
	if err == nil && strings.TrimSpace(t.Only) != "" {
		q.only, err = find.NewAssetQuery(t.Only)
	}
	if err != nil {
		return nil, err
	}
	return q, nil
}

// parseFilter reads the filter of names or values. Names have no fields: what is no column there is a mistake.
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

// List describes what a filter for names or values is for; nil for what is searched in bytes.
func (k Kind) List() *query.List {
	if k != Names && k != Values {
		return nil
	}
	return find.AllColumns(k == Values)
}

var defaultWays = map[Kind]string{Text: find.Ways[0].ID, Bytes: find.HexWay}

// Lit returns the texts, in lower case, that are lit in what is found.
func (q *Query) Lit() []string {
	switch q.Kind {
	case Names, Values:
		return q.nodes.Filter().Lit()
	case Text:
		return []string{strings.ToLower(q.Terms.Text)}
	}
	return nil
}

// inBytes reports whether bytes are searched.
func (q *Query) inBytes() bool { return q.pattern != nil }

// wants reports whether a file or an asset is searched as a whole.
func (q *Query) wants(ctx context.Context, p *model.Payload) bool {
	return q.only == nil || q.only.Match(ctx, p)
}
