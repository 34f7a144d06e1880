package cli

import "assay/model/notes"

type notesCommand struct {
	formatFlag
	File   string `arg:"" optional:"" help:"List notes on this file only. Default: all files."`
	JSON   bool   `name:"json" help:"Print the notes as JSON, as --import reads them."`
	Import string `placeholder:"FILE" help:"Import notes from a file written by --json. They apply to files with the same content."`
}

// Run lists notes, or imports them.
func (c *notesCommand) Run(s *session) error {
	if err := c.use(s); err != nil {
		return err
	}
	s.status = s.runner.Notes(s.ctx, notes.In(notes.Folder()), c.File, NotesOptions{JSON: c.JSON,
		Import: c.Import})
	return nil
}
