package cli

import (
	"os"

	"assay/formats"
	"assay/model/git"
)

type gitSetupCommand struct {
	Global bool `help:"Configure all repositories of this user instead of the current one."`
	Undo   bool `help:"Undo git-setup."`
}

func (c *gitSetupCommand) Run(s *session) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	setup := git.Setup{Folder: ".", Global: c.Global, Program: program, Talk: s.runner.Out}
	if window, err := windowProgram(); err == nil && (hasWindow || window != program) {
		setup.Window = window
	}
	for _, f := range formats.All() {
		if f.Packer != nil {
			setup.Archives = append(setup.Archives, f.Extensions()...)
		} else if f.IsText() { // extensions of texts that are shared are those of anyone's texts
			setup.Texts = append(setup.Texts, f.OwnExtensions()...)
		} else {
			setup.Extensions = append(setup.Extensions, f.Extensions()...)
		}
	}
	if c.Undo {
		return setup.Undo(s.ctx)
	}
	return setup.Write(s.ctx)
}
