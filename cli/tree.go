package cli

type treeCommand struct {
	formatFlag
	File string `arg:"" help:"The file."`
	TreeOptions
}

// TreeOptions are the flags of tree.
type TreeOptions struct {
	Depth     int    `default:"-1" help:"Maximum depth. Default: all levels."`
	NoOffsets bool   `help:"Omit offsets and sizes, so that two outlines can be compared as text."`
	Only      string `predictor:"path" placeholder:"FILTER" help:"Print only matching nodes and their children: a path (/header/version), a key, or a filter such as 'class ~ texture' (see assay help filters)."`
}

func (c *treeCommand) Run(s *session) error {
	if err := c.use(s); err != nil {
		return err
	}
	s.status = s.runner.Tree(s.ctx, c.File, c.TreeOptions)
	return nil
}

type dumpCommand struct {
	formatFlag
	File string `arg:"" help:"The file."`
	Only string `predictor:"path" placeholder:"FILTER" help:"Print these nodes only, one after the other: a path of names (/header/version), a key of the file, or a filter such as 'class ~ texture' (assay help filters)."`
}

func (c *dumpCommand) Run(s *session) error {
	if err := c.use(s); err != nil {
		return err
	}
	s.status = s.runner.Dump(s.ctx, c.File, c.Only)
	return nil
}
