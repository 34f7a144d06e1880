package finding

import (
	"encoding/json"
	"slices"
	"time"
	"unicode/utf8"

	"assay/model"
	"assay/model/search"
)

// saved is a tab that comes back: what was searched for and, of a search that found little, all that was found.
type saved struct {
	search.Terms
	Found []search.Found `json:"found,omitempty"`
	Ended time.Time      `json:"ended,omitzero"` // of the search; zero: it is made again
}

// savedMost is how many hits come back with a tab; a search that found more is made again.
const savedMost = 500

// keep remembers a search that has come to its end.
func (t *Finder) keep() {
	t.done = saved{Terms: t.form.terms(), Ended: time.Now()}
	if t.results.hits > savedMost {
		t.done = saved{}
		return
	}
	for _, g := range t.results.groups {
		f := search.Found{Name: g.name, Path: g.path, Hits: g.hits, More: g.more}
		for _, problem := range g.problems {
			t.done.Found = append(t.done.Found, search.Found{Name: g.name, Path: g.path, Problem: problem})
		}
		t.done.Found = append(t.done.Found, f)
	}
	if slices.ContainsFunc(t.done.Found, func(f search.Found) bool { return !utf8.ValidString(f.Path) }) {
		t.done = saved{} // JSON would name another file
	}
}

// Saved is what a tab that comes back shows.
func (t *Finder) Saved() json.RawMessage {
	s := saved{Terms: t.form.terms()}
	if !t.running && s.Terms == t.done.Terms {
		s = t.done
	}
	b, err := json.Marshal(s)
	if err != nil {
		return nil // of texts and numbers
	}
	return b
}

// Restore shows what a tab of last time found, or searches again for it.
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
	t.done = s
	t.results.clear(q)
	t.results.add(s.Found)
	t.list.SetSource(t.results)
	t.say(t.counted() + " on " + s.Ended.Local().Format("2 January 15:04") + ". Press Find to search again.")
}

// Title returns what the tab is called that searches below a folder, as Saved had it.
func Title(root string, view json.RawMessage) string {
	var s saved
	_ = json.Unmarshal(view, &s) // what cannot be read says nothing
	return title(root, s.Terms)
}

func title(root string, terms search.Terms) string {
	if terms.Text != "" {
		return "Find: " + model.OneLine(terms.Text, 30)
	}
	return "Find in " + model.FileName(root)
}
