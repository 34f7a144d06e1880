package files

import (
	"context"
	"errors"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/report"
	"assay/ui/comparison/compared"
	"assay/ui/thumbnail"
)

const (
	lookedInto = 10_000   // files that are opened to say what changed in them
	lookedSize = 64 << 20 // bytes of one of them
)

// canLook reports whether a file is looked into without being asked for.
func canLook(f *compare.File) bool {
	return f.Problem == "" && f.Link == "" && max(f.Old, f.New) <= lookedSize
}

// lookAtAll finds out in the background what the files are and what changed in them by the rules.
func (f *Pair) lookAtAll() {
	if f.Opener == nil {
		return
	}
	var all []compare.File
	for i := range f.files {
		if file := f.files[i]; file.Status != compare.Same && canLook(&file) && len(all) < lookedInto {
			all = append(all, file)
		}
	}
	options, sides := f.options, f.sides
	stop := func() {
		f.looking.Stop()
		f.Busy("", 0, nil)
		f.Tell("Stopped. Press " + f.Keys().Text("compare.again") + " to compare again.")
	}
	f.looking.Go(func(ctx context.Context) func() {
		progress := f.Group.Progress(ctx, func(done, total int64) {
			f.Busy("Comparing files", float64(done)/float64(max(1, total)), stop)
			f.list.Refresh()
		})
		hidden := false
		for i, file := range all {
			if ctx.Err() != nil {
				return nil
			}
			old, new := sides(&file)
			if found, ok := lookInto(ctx, file, old, new, options); ok {
				f.found.Store(file.Name, found)
				hidden = hidden || found.Same
			}
			progress(int64(i+1), int64(len(all)))
		}
		return func() {
			f.Busy("", 0, nil)
			if f.count(); hidden {
				f.show()
			}
			f.list.Refresh()
		}
	})
}

// lookInto opens the files of a row and says what they are and what changed; false if that cannot be said.
func lookInto(ctx context.Context, file compare.File, old, new compared.Side, o compare.Options) (found compare.Found,
	ok bool) {
	var docs [2]*model.Document
	for i, s := range []compared.Side{old, new} {
		if i == 0 && file.Status == compare.Added || i == 1 && file.Status == compare.Removed {
			continue
		}
		d, err := s.Open(ctx)
		if err != nil {
			return compare.Found{Summary: model.OneLine(err.Error(), 200)}, ctx.Err() == nil
		}
		defer d.Source.Close()
		docs[i] = d
	}
	for i, other := range []int{1, 0} {
		if docs[other] == nil {
			return compare.Found{Format: docs[i].Format + " " + docs[i].Variant}, true
		}
	}
	c, err := compare.Documents(ctx, docs[0], docs[1], o, nil)
	if err != nil {
		return found, false
	}
	if isUnknown(docs[0]) && isUnknown(docs[1]) {
		return found, true // sizes and the first byte that differs say more
	}
	found.Format = compared.Formats(c)
	if file.Status == compare.Changed {
		found.Same = c.Same()
		all, err := changes.Collect(ctx, c)
		if err != nil {
			return found, false
		}
		found.Summary = report.Brief(c, all)
	}
	return found, true
}

// isUnknown reports whether a document is bytes that nothing is known of.
func isUnknown(d *model.Document) bool {
	return d.Format == "bytes" && !d.Content && d.Source.Size() > 0
}

var errNoPicture = errors.New("no preview of this file")

// pictures are how the small pictures of files are drawn, of the new version if there is one.
func (f *Pair) pictures() thumbnail.Options {
	return thumbnail.Options{Open: f.OpenSource,
		File: func(ctx context.Context, listed *model.Document, i int) (*model.Document, error) {
			p := listed.Payloads.At(i)
			if f.Opener == nil || p.Problem != "" || p.Size > lookedSize {
				return nil, errNoPicture
			}
			return f.Opener(ctx, listed.Payloads.(interface{ Path(i int) string }).Path(i))
		}}
}
