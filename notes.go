package main

import (
	"assay/model/notes"
	"assay/model/verbs"
)

type notesCommand struct {
	formatFlag
	File   string `arg:"" optional:"" help:"The file; without one, the notes on all files are listed."`
	JSON   bool   `name:"json" help:"Print the notes as JSON, as --import reads them."`
	Import string `placeholder:"FILE" help:"Keep the notes of a file that --json wrote, here or elsewhere: they are on the files with the same bytes."`
}

// Run lists notes, or imports them.
func (c *notesCommand) Run(s *session) error {
	if err := c.use(s); err != nil {
		return err
	}
	s.status = s.runner.Notes(s.ctx, notes.In(notes.Folder()), c.File, verbs.NotesOptions{JSON: c.JSON,
		Import: c.Import})
	return nil
}
