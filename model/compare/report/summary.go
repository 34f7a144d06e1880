package report

import (
	"assay/model/compare"
	"assay/model/compare/changes"
)

// jsonCounts is how many things changed, in diff --json.
type jsonCounts struct {
	Changed int64 `json:"changed"`
	Moved   int64 `json:"moved"`
	Added   int64 `json:"added"`
	Removed int64 `json:"removed"`
}

func countsOf(n compare.Counts) jsonCounts { return jsonCounts{n.Changed, n.Moved, n.Added, n.Removed} }

// jsonThing is a thing that changed, in diff --json.
type jsonThing struct {
	Status  string   `json:"status"`
	Kind    string   `json:"kind"`
	Name    string   `json:"name"`
	OldName string   `json:"old_name,omitempty"`
	Alike   float64  `json:"alike,omitempty"`
	What    []string `json:"what,omitempty"`

	Inside *jsonOverview `json:"inside,omitempty"`
}

// jsonOverview is what changed in the words of people, in diff --json.
type jsonOverview struct {
	Headline string      `json:"headline,omitempty"`
	Things   []jsonThing `json:"things,omitempty"`
	Unlisted int64       `json:"unlisted,omitempty"`
	Values   []string    `json:"values,omitempty"`
	Others   int64       `json:"others,omitempty"`
}

func summaryOf(o *changes.Overview) *jsonOverview {
	if o == nil {
		return nil
	}
	out := &jsonOverview{Headline: o.Headline(), Unlisted: o.Unlisted, Values: o.Values.Texts(), Others: o.Others}
	if out.Headline == "" {
		return nil
	}
	for _, t := range o.Things {
		out.Things = append(out.Things, jsonThing{t.Status.String(), t.Kind, t.Name, t.OldName, t.Alike,
			t.What.Texts(), summaryOf(t.Inside)})
	}
	return out
}
