package cli

import (
	"runtime/debug"

	"assay/model/graph"
)

type graphCommand struct {
	formatFlag
	Root string   `arg:"" optional:"" default:"." name:"folder" help:"The folder, or a package; this folder by default."`
	Part []string `enum:"uses,missing,unused,twice" placeholder:"PART" help:"Print only one part: uses, missing, unused, or twice (duplicates). Can be repeated."`
	JSON bool     `name:"json" xor:"form" help:"Print the graph as JSON."`
	DOT  bool     `name:"dot" xor:"form" help:"Print the graph for Graphviz: assay graph --dot DIR | dot -Tsvg > graph.svg"`
}

func (c *graphCommand) Run(s *session) error {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(160 << 20)) // a million assets
	if err := c.use(s); err != nil {
		return err
	}
	o := GraphOptions{Opens: searched().Opens, JSON: c.JSON, DOT: c.DOT}
	for _, p := range c.Part {
		o.Parts = append(o.Parts, graph.Part(p))
	}
	s.status = s.runner.Graph(s.ctx, c.Root, o)
	return nil
}
