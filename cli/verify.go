package cli

import "cmp"

type verifyCommand struct {
	resourcesFlag
	formatFlag
	Files     []string `arg:"" name:"file" help:"The files; with --recursive also folders."`
	Recursive bool     `short:"r" help:"Enter folders, and read the files in them whose format is recognised."`
	Deep      bool     `help:"Also check the contents of assets: supported formats, PNG images, ZIP archives."`
	JSON      bool     `name:"json" help:"Print the reports as JSON."`
	Quiet     bool     `short:"q" help:"Print only files with problems."`
}

func (c *verifyCommand) Run(s *session) error {
	if err := cmp.Or(c.formatFlag.use(s), c.resourcesFlag.use(s)); err != nil {
		return err
	}
	s.status = s.runner.Verify(s.ctx, c.Files,
		VerifyOptions{Recursive: c.Recursive, Deep: c.Deep, JSON: c.JSON, Quiet: c.Quiet})
	return nil
}
