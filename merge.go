package main

import (
	"runtime/debug"

	"assay/model/git"
	"assay/model/verbs"
	"assay/ui"
)

// gcPercent is for three packages of a million assets, all of which may have changed: a limit as that of patches would
// have the collector run all the time.
const gcPercent = 20

type mergeCommand struct {
	Base    string   `arg:"" help:"The file that both versions were made from; an empty one if there is none."`
	Mine    string   `arg:"" help:"One version."`
	Theirs  string   `arg:"" help:"The other version."`
	Output  string   `short:"o" placeholder:"FILE" help:"The file to write. Without it, only what would be merged is printed."`
	Git     string   `placeholder:"NAME" help:"Merge for git, which calls the file so: where there are conflicts, the command that decides them is named."`
	Replace bool     `help:"Replace the file that is to be written, at once, if it is there already: also one of the three."`
	Take    []string `placeholder:"[ID=]mine|theirs|both" help:"What the file gets of conflicts, or of the piece with an ID. Pieces are printed with their IDs: the key of an asset, the number of a hunk of a text, or metadata."`
}

// Run merges.
func (c *mergeCommand) Run(s *session) error {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	s.status = s.runner.Merge(s.ctx, c.Base, c.Mine, c.Theirs,
		verbs.MergeOptions{Output: c.Output, Replace: c.Replace, Take: c.Take, Git: c.Git})
	return nil
}

type mergetoolCommand struct {
	Base   string `arg:"" help:"The file that both versions were made from."`
	Mine   string `arg:"" help:"One version: git's LOCAL."`
	Theirs string `arg:"" help:"The other version: git's REMOTE."`
	Merged string `arg:"" help:"The file to write, which is replaced once everything is decided."`
}

// Run opens the window on three versions and waits until they are merged, or closed. Without a window it merges what
// does not contradict itself.
func (c *mergetoolCommand) Run(s *session) error {
	if !hasWindow {
		if program, err := windowProgram(); err != nil || !isBeside(program) {
			s.status = s.runner.Merge(s.ctx, c.Base, c.Mine, c.Theirs,
				verbs.MergeOptions{Output: c.Merged, Replace: true, Merged: true})
			return nil
		}
	}
	files, err := absolute([]string{c.Base, c.Mine, c.Theirs, c.Merged})
	if err != nil {
		return err
	}
	s.status = verbs.Bad // until it is written
	base, mine, theirs := git.MergeNames(s.ctx, files[3])
	return openWindow(s, ui.Options{Files: files[:3], Titles: titles(files[3], []string{base, mine, theirs}),
		Compare: true, Wait: true, Merge: files[3],
		Merged: func() { s.status = verbs.Fine }}, true)
}
