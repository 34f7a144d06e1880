package cli

import (
	"context"
	"fmt"
	"slices"

	"assay/model"
	"assay/model/graph"
)

// GraphOptions are what graph prints.
type GraphOptions struct {
	Opens func(name string) bool // whether a file of that name may refer to others
	Parts []graph.Part           // empty: all of them
	// What is printed instead of lines to read: a JSON object, or a drawing in the language of Graphviz, which has who
	// uses what alone.
	JSON, DOT bool
}

// Graph prints who uses what in a folder or a file. The status is Bad if something is missing, and Trouble if a file
// could not be read.
func (r *Runner) Graph(ctx context.Context, root string, o GraphOptions) int {
	parts := o.Parts
	if len(parts) == 0 {
		parts = graph.Parts
	}
	b := &graph.Builder{OpenFile: r.openAny, Open: r.OpenSource, Opens: o.Opens,
		Compares: !o.DOT && slices.Contains(parts, graph.TwicePart)}
	g, err := b.Build(ctx, root)
	if err != nil {
		return r.trouble(err)
	}
	status := Fine
	for i := range int32(g.Len()) {
		if t := g.Thing(i); t.IsFile() && t.Problem != "" {
			status = Trouble
			fmt.Fprintf(r.Err, "assay: %s: %s\n", model.OneLine(t.Name, 4096), t.Problem)
		}
	}
	switch {
	case o.JSON:
		err = g.WriteJSON(r.Out, parts)
	case o.DOT:
		err = g.WriteDOT(r.Out)
	default:
		err = g.WriteText(r.Out, parts)
	}
	if err != nil {
		return r.trouble(err)
	}
	if g.Users(graph.Missing) > 0 {
		return max(status, Bad)
	}
	return status
}
