package finding

import (
	"encoding/json"
	"slices"
	"time"
	"unicode/utf8"

	"assay/model"
	"assay/model/search"
)

// saved is the stored state of the tab: the search and, if there are few results, all of them.
type saved struct {
	search.Terms
	Found []search.FileResults `json:"found,omitempty"`
	Ended time.Time            `json:"ended,omitzero"` // end of the search; zero: Restore searches again
}

// maxSavedHits is the maximum number of matches that are stored with a tab; a search with more is repeated.
const maxSavedHits = 500

// saveSearch stores a completed search.
func (t *Finder) saveSearch() {
	t.lastSaved = saved{Terms: t.form.terms(), Ended: time.Now()}
	if t.results.hits > maxSavedHits {
		t.lastSaved = saved{}
		return
	}
	for _, g := range t.results.groups {
		f := search.FileResults{Name: g.name, Path: g.path, Hits: g.hits, Truncated: g.truncated}
		for _, problem := range g.problems {
			t.lastSaved.Found = append(t.lastSaved.Found,
				search.FileResults{Name: g.name, Path: g.path, Problem: problem})
		}
		t.lastSaved.Found = append(t.lastSaved.Found, f)
	}
	if slices.ContainsFunc(t.lastSaved.Found, func(f search.FileResults) bool { return !utf8.ValidString(f.Path) }) {
		t.lastSaved = saved{} // JSON would name another file
	}
}

// Saved returns the state of the tab to store.
func (t *Finder) Saved() json.RawMessage {
	s := saved{Terms: t.form.terms()}
	if !t.running && s.Terms == t.lastSaved.Terms {
		s = t.lastSaved
	}
	b, _ := json.Marshal(s) // texts and numbers can always be encoded
	return b
}

// Restore restores the state of a tab from an earlier session, or searches again if it has no results.
func (t *Finder) Restore(view json.RawMessage) {
	var s saved
	if json.Unmarshal(view, &s) != nil || s.Text == "" {
		return
	}
	t.form.set(s.Terms)
	q, err := s.Terms.Parse()
	if s.Ended.IsZero() || err != nil {
		t.Search()
		return
	}
	t.lastSaved = s
	t.results.clear(q)
	t.results.add(s.Found)
	t.list.SetSource(t.results)
	t.setMessage(t.countText() + " on " + s.Ended.Local().Format("2 January 15:04") + ". Press Find to search again.")
}

// Title returns the title of a tab that searches below a folder, from the state that Saved returned.
func Title(root string, view json.RawMessage) string {
	var s saved
	_ = json.Unmarshal(view, &s) // an invalid state is empty
	return title(root, s.Terms)
}

func title(root string, terms search.Terms) string {
	if terms.Text != "" {
		return "Find: " + model.OneLine(terms.Text, 30)
	}
	return "Find in " + model.FileName(root)
}
