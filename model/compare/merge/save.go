package merge

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"assay/model"
	"assay/model/export"
)

// ErrUndecided means that some conflicts have no resolution.
var ErrUndecided = errors.New("some conflicts are unresolved")

// Save writes the merged file, reads it back before it gets its name, and returns its size. open reads it.
func (m *Merging) Save(ctx context.Context, to export.Target, open model.Opener) (size int64, err error) {
	if m.Undecided() > 0 {
		return 0, ErrUndecided
	}
	if m.archive != nil {
		p, err := m.plan(ctx)
		if err != nil {
			return 0, err
		}
		return export.WriteArchive(ctx, to, p, m.Documents[:], open)
	}
	b, from := m.mergedBytes()
	err = export.WriteFile(to.Path, to.Replace, func(w io.Writer) error {
		if from != nil {
			if _, err := io.Copy(w, from.Reader(model.Span{Size: from.Size()})); err != nil {
				return err
			}
			return cmp.Or(from.Changed(), from.Err())
		}
		_, err := w.Write(b)
		return err
	}, func(src *model.Source) error {
		size = src.Size()
		if from != nil {
			same, err := sameFiles(ctx, from, src)
			if err == nil && !same {
				err = errors.New("verification of the merged file failed")
			}
			return err
		}
		return m.check(ctx, src, open)
	})
	return size, err
}

// mergedBytes returns the bytes of a merged text, or the chosen version of the whole file.
func (m *Merging) mergedBytes() (b []byte, from *model.Source) {
	if m.text != nil {
		return m.text.mergedText(m.choices(0, len(m.Pieces))), nil
	}
	return nil, m.Documents[m.Pieces[0].Resolution.version()].Source
}

// choices returns the resolutions of the hunks of a text: of n pieces starting at first.
func (m *Merging) choices(first, n int) (choices []choice) {
	for i := first; i < first+n; i++ {
		choices = append(choices, choice{m.Pieces[i].Resolution, m.edited[i]})
	}
	return choices
}

// textOf returns the text and the hunk of a piece; nil if it is not a hunk.
func (m *Merging) textOf(piece int) (*textMerge, *hunk) {
	p, t := &m.Pieces[piece], m.text
	if p.hunk == none {
		return nil, nil
	}
	if p.asset != none {
		t = m.texts[p.asset]
	}
	return t, &t.hunks[p.hunk]
}

func (m *Merging) plan(ctx context.Context) (model.ArchivePlan, error) {
	picks, metadata := make([]model.Pick, len(m.archive.Assets)), model.Base
	for i := 0; i < len(m.Pieces); i++ {
		switch p := &m.Pieces[i]; {
		case p.asset == none:
			metadata = p.Resolution.version()
		case p.hunk == none:
			picks[p.asset].Version = p.Resolution.version()
		default:
			n := len(m.texts[p.asset].hunks)
			picks[p.asset] = m.pickText(p.asset, m.choices(i, n))
			i += n - 1
		}
	}
	return m.archive.Plan(ctx, picks, metadata)
}

// pickText returns a text whose hunks are resolved, to be an asset.
func (m *Merging) pickText(asset int32, choices []choice) model.Pick {
	b := m.texts[asset].mergedText(choices)
	theirs := m.Documents[model.Theirs].Payloads.At(int(m.archive.Assets[asset].Indexes[model.Theirs]))
	return model.Pick{Version: model.Mine, Content: &model.PackedFile{Size: int64(len(b)), ModTime: theirs.ModTime,
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }}}
}

// check reads a merged text: it must be of the versions' kind, and not more damaged.
func (m *Merging) check(ctx context.Context, src *model.Source, open model.Opener) error {
	d, err := open(ctx, src)
	if err != nil {
		return err
	}
	if mine := m.Documents[model.Mine]; d.Format != mine.Format {
		return fmt.Errorf("verification of the merged file failed: it is read as %s, not %s", d.Kind(), mine.Kind())
	}
	merged, err := d.Check(ctx, nil)
	if err != nil || merged.Worst <= model.Note {
		return err
	}
	for _, v := range []model.Version{model.Mine, model.Theirs} {
		report, err := m.Documents[v].Check(ctx, nil)
		if err != nil || merged.Worst <= report.Worst {
			return err
		}
	}
	for _, p := range merged.Problems {
		if p.Severity == merged.Worst {
			return fmt.Errorf("the merged file has a problem: %s", model.OneLine(p.Path+": "+p.Message, 400))
		}
	}
	return errors.New("the merged file has problems that neither version has")
}
