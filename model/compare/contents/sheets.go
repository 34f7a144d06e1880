package contents

import (
	"context"
	"slices"
	"strings"

	"assay/model/compare"
	"assay/model/content"
)

// maxStatuses is the largest number of assets that are recorded by status.
const maxStatuses = 1 << 16

// MarkSheet returns the sheet of the assets of one side with the state of each. Assets that changed come first, then
// assets on this side only, then the others.
func MarkSheet(ctx context.Context, c *compare.Comparison, s *content.Sheet) (*content.Sheet, error) {
	old := s.Document == c.Old
	statusByKey := make(map[string]compare.Status) // of nodes: an asset and its entry in an index have one key
	err := c.Rows(func(p *compare.Pair) error {
		node := p.New
		if old {
			node = p.Old
		}
		if node != nil && node.Key != "" && len(statusByKey) < maxStatuses &&
			(statusByKey[node.Key] == compare.Same || p.Status == compare.Changed) {
			statusByKey[node.Key] = p.Status
		}
		return ctx.Err()
	})
	if err != nil || len(statusByKey) == 0 {
		return s, err
	}
	statuses := make([]compare.Status, len(s.Assets))
	for i, asset := range s.Assets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if a := s.Document.Payloads.At(asset); a != nil && a.Node != nil {
			statuses[i] = statusByKey[a.Node.Key]
		}
	}
	order := make([]int, len(s.Assets))
	for i := range order {
		order[i] = i
	}
	rank := map[compare.Status]int{compare.Changed: 0, compare.Moved: 0, compare.Added: 1, compare.Removed: 1,
		compare.Same: 2}
	slices.SortStableFunc(order, func(i, j int) int {
		if d := rank[statuses[i]] - rank[statuses[j]]; d != 0 || statuses[i] == compare.Same {
			return d
		}
		return strings.Compare(s.Names[i], s.Names[j])
	})
	out := &content.Sheet{Document: s.Document, Total: s.Total}
	for _, i := range order {
		out.Assets = append(out.Assets, s.Assets[i])
		out.Names = append(out.Names, s.Names[i])
		mark := content.Mark{}
		if statuses[i] != compare.Same {
			mark = content.Mark{Word: statuses[i].String(), Color: statuses[i].Color(compare.OnScene)}
		}
		out.Marks = append(out.Marks, mark)
	}
	return out, nil
}
