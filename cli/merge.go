package cli

import (
	"runtime/debug"

	"assay/model/git"
	"assay/ui"
)

// gcPercent is for three packages of a million assets, all of which may have changed: a limit as that of patches would
// have the collector run all the time.
const gcPercent = 20

type mergeCommand struct {
	Base    string   `arg:"" help:"The common base version; an empty file if there is none."`
	Mine    string   `arg:"" help:"Your version."`
	Theirs  string   `arg:"" help:"Their version."`
	Output  string   `short:"o" placeholder:"FILE" help:"Output file. Without it, the merge result is only listed."`
	Git     string   `placeholder:"NAME" help:"Run as a Git merge driver for the file with this name."`
	Replace bool     `help:"Overwrite the output file if it exists, even if it is one of the inputs."`
	Take    []string `placeholder:"[ID=]mine|theirs|both" help:"How to resolve all conflicts, or the one with this ID. Run without --take to list the IDs."`
}

// Run merges.
func (c *mergeCommand) Run(s *session) error {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	s.status = s.runner.Merge(s.ctx, c.Base, c.Mine, c.Theirs,
		MergeOptions{Output: c.Output, Replace: c.Replace, Take: c.Take, Git: c.Git})
	return nil
}

type mergetoolCommand struct {
	Base   string `arg:"" help:"The common base version."`
	Mine   string `arg:"" help:"One version: git's LOCAL."`
	Theirs string `arg:"" help:"The other version: git's REMOTE."`
	Merged string `arg:"" help:"Output file, written when all conflicts are resolved."`
}

// Run opens the window on three versions and waits until they are merged, or closed. Without a window it merges what
// does not contradict itself.
func (c *mergetoolCommand) Run(s *session) error {
	if !hasWindow {
		if program, err := windowProgram(); err != nil || !isBeside(program) {
			s.status = s.runner.Merge(s.ctx, c.Base, c.Mine, c.Theirs,
				MergeOptions{Output: c.Merged, Replace: true, Merged: true})
			return nil
		}
	}
	files, err := absolute([]string{c.Base, c.Mine, c.Theirs, c.Merged})
	if err != nil {
		return err
	}
	s.status = Bad // until it is written
	base, mine, theirs := git.MergeNames(s.ctx, files[3])
	return openWindow(s, ui.Options{Files: files[:3], Titles: titles(files[3], []string{base, mine, theirs}),
		Compare: true, Wait: true, Merge: files[3],
		Merged: func() { s.status = Fine }}, true)
}
