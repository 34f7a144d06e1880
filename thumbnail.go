package main

import (
	"errors"
	"runtime/debug"

	"assay/model/verbs"
)

type thumbnailCommand struct {
	resourcesFlag
	File   string   `arg:"" help:"The file."`
	Output []string `arg:"" optional:"" name:"output" help:"The file to write: PNG, or JPEG if its name ends with .jpg. With --sheet: more files to draw."`
	Size   int      `short:"s" default:"256" placeholder:"PX" help:"Edge of the picture in pixels, 16 to 1024; with --sheet of each on it."`
	Sheet  string   `placeholder:"OUTPUT" help:"Draw all files on one picture, each with its name, and write it there; of one file, draw its assets."`
	Dark   bool     `help:"With --sheet: light names on a dark ground."`
}

func (c *thumbnailCommand) Run(s *session) error {
	s.useAssignments()
	// File managers run several at once: what is garbage is not kept.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(256 << 20))
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	if err := c.use(s); err != nil {
		return err
	}
	switch {
	case c.Sheet != "":
		s.status = s.runner.ContactSheet(s.ctx, append([]string{c.File}, c.Output...), c.Sheet,
			verbs.SheetOptions{Size: c.Size, Dark: c.Dark})
	case len(c.Output) == 1:
		s.status = s.runner.Thumbnail(s.ctx, c.File, c.Output[0], c.Size)
	default:
		return errors.New("name one file and the picture to write; several files need --sheet OUTPUT")
	}
	return nil
}
