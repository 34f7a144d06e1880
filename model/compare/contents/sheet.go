package contents

import (
	"context"
	"slices"
	"strings"

	"assay/model/compare"
	"assay/model/content"
)

// statesKept is how many assets are known by their state.
const statesKept = 1 << 16

// MarkSheet returns the sheet of the assets of one side with the state of each: those that are on both sides and
// changed come first, then those that are on this side only, then the others.
func MarkSheet(ctx context.Context, c *compare.Comparison, s *content.Sheet) (*content.Sheet, error) {
	old := s.Document == c.Old
	states := make(map[string]compare.Status) // of nodes, by their keys: an asset and its entry in an index have one
	err := c.Rows(func(p *compare.Pair) error {
		own := p.New
		if old {
			own = p.Old
		}
		if own != nil && own.Key != "" && len(states) < statesKept &&
			(states[own.Key] == compare.Same || p.Status == compare.Changed) {
			states[own.Key] = p.Status
		}
		return ctx.Err()
	})
	if err != nil || len(states) == 0 {
		return s, err
	}
	became := make([]compare.Status, len(s.Assets))
	for i, asset := range s.Assets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if a := s.Document.Payloads.At(asset); a != nil && a.Node != nil {
			became[i] = states[a.Node.Key]
		}
	}
	order := make([]int, len(s.Assets))
	for i := range order {
		order[i] = i
	}
	rank := map[compare.Status]int{compare.Changed: 0, compare.Moved: 0, compare.Added: 1, compare.Removed: 1,
		compare.Same: 2}
	slices.SortStableFunc(order, func(i, j int) int {
		if d := rank[became[i]] - rank[became[j]]; d != 0 || became[i] == compare.Same {
			return d
		}
		return strings.Compare(s.Names[i], s.Names[j])
	})
	out := &content.Sheet{Document: s.Document, Total: s.Total}
	for _, i := range order {
		out.Assets = append(out.Assets, s.Assets[i])
		out.Names = append(out.Names, s.Names[i])
		mark := content.Mark{}
		if became[i] != compare.Same {
			mark = content.Mark{Word: became[i].String(), Color: became[i].Color(compare.OnScene)}
		}
		out.Marks = append(out.Marks, mark)
	}
	return out, nil
}
