package cli

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"assay/model"
	"assay/model/graph"
)

type graphCommand struct {
	formatFlag
	Root string `arg:"" optional:"" default:"." name:"folder" help:"A folder or a package. Default: the current folder."`
	GraphOptions
}

// GraphOptions are the flags of graph.
type GraphOptions struct {
	Parts []graph.Part `name:"part" enum:"uses,missing,unused,twice" placeholder:"PART" help:"Print only one part: uses, missing, unused, or twice (duplicates). Can be repeated."`
	JSON  bool         `name:"json" xor:"form" help:"Print the graph as JSON."`
	DOT   bool         `name:"dot" xor:"form" help:"Print the graph for Graphviz: assay graph --dot DIR | dot -Tsvg > graph.svg"`
}

func (c *graphCommand) Run(s *session) error {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(160 << 20)) // a million assets
	if err := c.apply(s); err != nil {
		return err
	}
	s.status = s.runner.Graph(s.ctx, c.Root, c.GraphOptions)
	return nil
}

// Graph prints the dependencies in a folder or a file. The status is ExitProblems if a target is missing, and ExitError
// if a file could not be read.
func (r *Runner) Graph(ctx context.Context, root string, o GraphOptions) int {
	parts := o.Parts
	if len(parts) == 0 {
		parts = graph.Parts
	}
	b := &graph.Builder{OpenFile: r.openAny, Open: r.OpenSource, Opens: searchFormats().Opens,
		FindDuplicates: !o.DOT && slices.Contains(parts, graph.DuplicatesPart)}
	g, err := b.Build(ctx, root)
	if err != nil {
		return r.reportError(err)
	}
	status := ExitOK
	for i := range int32(g.Len()) {
		if t := g.Item(i); t.IsFile() && t.Problem != "" {
			status = ExitError
			fmt.Fprintf(r.Err, "assay: %s: %s\n", model.OneLine(t.Name, 4096), t.Problem)
		}
	}
	if !g.HasPackage && !model.IsFolder(root) {
		if status == ExitOK {
			return r.reportError(fmt.Errorf("%s is not a folder or a package; name the folder that contains it",
				displayPath(root)))
		}
		return status
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
		return r.reportError(err)
	}
	if g.UserCount(graph.Missing) > 0 {
		return max(status, ExitProblems)
	}
	return status
}
