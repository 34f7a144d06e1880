package files

import (
	"context"
	"maps"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/folders"
	"assay/model/compare/report"
	"assay/ui/comparison/compared"
)

// fileFacts is what was found out about a file.
type fileFacts struct{ system, summary string }

const (
	lookedInto = 10_000   // files that are opened to say what changed in them
	lookedSize = 64 << 20 // bytes of one of them
	lookedStep = 16       // files between two looks of the window
)

// look finds out in the background what the files are and what changed in them.
func (f *Pair) look() {
	if f.open == nil {
		return
	}
	var todo []folders.File
	for _, i := range f.shown {
		if file := f.files[i]; file.Status != compare.Same && file.Problem == "" && file.Link == "" &&
			max(file.Old, file.New) <= lookedSize && len(todo) < lookedInto {
			todo = append(todo, file)
		}
	}
	sides := f.sides
	stop := func() {
		f.looking.Stop()
		f.Busy("", 0, nil)
		f.Tell("Stopped; " + f.Keys().Text("compare.again") + " compares the folders again.")
	}
	f.looking.Go(func(ctx context.Context) func() {
		tell := f.Group.Progress(ctx, func(done, total int64) {
			f.Busy("Looking into files", float64(done)/float64(max(1, total)), stop)
		})
		found := map[string]fileFacts{}
		show := func() func() {
			some := found
			found = map[string]fileFacts{}
			return func() {
				maps.Copy(f.found, some)
				f.rows.Refresh()
			}
		}
		for i, file := range todo {
			if ctx.Err() != nil {
				return nil
			}
			old, new := sides(file)
			if facts, ok := lookInto(ctx, file, old, new); ok {
				found[file.Name] = facts
			}
			if i%lookedStep == 0 {
				f.Group.Show(ctx, show())
			}
			tell(int64(i+1), int64(len(todo)))
		}
		last := show()
		return func() {
			f.Busy("", 0, nil)
			last()
		}
	})
}

// lookInto opens the files of a row and says what they are and what changed; false if that cannot be said.
func lookInto(ctx context.Context, file folders.File, old, new compared.Side) (facts fileFacts, ok bool) {
	var docs [2]*model.Document
	for i, s := range []compared.Side{old, new} {
		if i == 0 && file.Status == compare.Added || i == 1 && file.Status == compare.Removed {
			continue
		}
		d, err := s.Open(ctx)
		if err != nil {
			return fileFacts{summary: model.OneLine(err.Error(), 200)}, ctx.Err() == nil
		}
		defer d.Source.Close()
		docs[i] = d
	}
	switch {
	case docs[0] == nil:
		return fileFacts{system: docs[1].Format + " " + docs[1].Variant}, true
	case docs[1] == nil:
		return fileFacts{system: docs[0].Format + " " + docs[0].Variant}, true
	}
	c, err := compare.Documents(ctx, docs[0], docs[1], compare.Options{}, nil)
	if err != nil {
		return facts, false
	}
	if isUnknown(docs[0]) && isUnknown(docs[1]) {
		return facts, true // sizes and the first byte that differs say more
	}
	facts.system = compared.Formats(c)
	if file.Status == compare.Changed {
		o, err := changes.Collect(ctx, c)
		if err != nil {
			return facts, false
		}
		facts.summary = report.Brief(c, o)
	}
	return facts, true
}

// isUnknown reports whether a document is bytes that nothing is known of.
func isUnknown(d *model.Document) bool {
	return d.Format == "bytes" && !d.Content && d.Source.Size() > 0
}
