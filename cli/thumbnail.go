package cli

import (
	"errors"
	"runtime/debug"
)

type thumbnailCommand struct {
	resourcesFlag
	File   string   `arg:"" help:"The file."`
	Output []string `arg:"" optional:"" name:"output" help:"The file to write: PNG, or JPEG if its name ends with .jpg. With --sheet: more files to draw."`
	Size   int      `short:"s" default:"256" placeholder:"PX" help:"Size in pixels, 16 to 1024; with --sheet, the size of each image."`
	Sheet  string   `placeholder:"OUTPUT" help:"Write a contact sheet of all files, or of the assets of a single file."`
	Dark   bool     `help:"With --sheet: use a dark background."`
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
			SheetOptions{Size: c.Size, Dark: c.Dark})
	case len(c.Output) == 1:
		s.status = s.runner.Thumbnail(s.ctx, c.File, c.Output[0], c.Size)
	default:
		return errors.New("give one input file and one output file, or use --sheet OUTPUT for several files")
	}
	return nil
}
