package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/dustin/go-humanize"

	"assay/model"
	"assay/model/compare/merge"
	"assay/model/content"
	"assay/model/export"
	"assay/model/git"
	"assay/model/text"
	"assay/ui"
)

// mergeGCPercent is the garbage collection target for three packages of a million assets, all of which may have
// changed. With a memory limit as for patches, the collector would run all the time.
const mergeGCPercent = 20

type mergeCommand struct {
	Base   string `arg:"" help:"The common base version, or an empty file."`
	Mine   string `arg:"" help:"Your version."`
	Theirs string `arg:"" help:"Their version."`
	MergeOptions
}

// MergeOptions are the flags of merge.
type MergeOptions struct {
	Output     string   `short:"o" placeholder:"FILE" help:"Output file. Without it, the merge result is only listed."`
	Git        string   `placeholder:"NAME" help:"Run as a Git merge driver for the file with this name."`
	Replace    bool     `help:"Overwrite the output file if it exists, even if it is one of the inputs."`
	Take       []string `sep:"none" placeholder:"[ID=]mine|theirs|both" help:"How to resolve all conflicts, or the one with this ID. Run without --take to list the IDs, in brackets."`
	ReplaceAny bool     `kong:"-"` // replace Output regardless of its content: it is git's file with conflicts
}

// Run merges three versions.
func (c *mergeCommand) Run(s *session) error {
	defer debug.SetGCPercent(debug.SetGCPercent(mergeGCPercent))
	s.status = s.runner.Merge(s.ctx, c.Base, c.Mine, c.Theirs, c.MergeOptions)
	return nil
}

type mergetoolCommand struct {
	Base   string `arg:"" help:"The common base version."`
	Mine   string `arg:"" help:"One version: git's LOCAL."`
	Theirs string `arg:"" help:"The other version: git's REMOTE."`
	Merged string `arg:"" help:"Output file, written when all conflicts are resolved."`
}

// Run opens the window on three versions and waits until they are merged, or closed. Without a window it merges all
// changes that do not conflict.
func (c *mergetoolCommand) Run(s *session) error {
	if !hasWindow {
		if program, err := windowProgram(); err != nil || !isWindowProgram(program) {
			s.status = s.runner.Merge(s.ctx, c.Base, c.Mine, c.Theirs,
				MergeOptions{Output: c.Merged, Replace: true, ReplaceAny: true})
			return nil
		}
	}
	files, err := absolutePaths([]string{c.Base, c.Mine, c.Theirs, c.Merged})
	if err != nil {
		return err
	}
	s.status = ExitProblems // until the merged file is written
	base, mine, theirs := git.MergeNames(s.ctx, files[3])
	return openWindow(s, ui.Options{Files: files[:3], Titles: versionTitles(files[3], []string{base, mine, theirs}),
		Compare: true, Wait: true, Merge: files[3],
		OnMerged: func() { s.status = ExitOK }}, true)
}

// Merge merges three versions of a file. It prints a line for each piece that either version changed. The exit status
// is ExitProblems if conflicts are unresolved; then no file is written.
func (r *Runner) Merge(ctx context.Context, base, mine, theirs string, o MergeOptions) int {
	if err := r.checkMergeOutput(o, base, mine, theirs); err != nil {
		return r.reportError(err)
	}
	versions, err := r.openEach(ctx, adviceFile, base, mine, theirs)
	if err != nil {
		return r.reportError(err)
	}
	defer model.CloseDocuments(versions...)
	m, err := merge.New(ctx, versions[0], versions[1], versions[2])
	if err == nil {
		err = applyResolutions(ctx, m, o.Take)
	}
	if err == nil {
		err = r.writePieces(ctx, m)
	}
	if err != nil {
		return r.reportError(err)
	}
	if n := m.Undecided(); n > 0 && o.Git != "" {
		fmt.Fprintf(r.Err, "assay: %s: %s; kept your version. Resolve with git mergetool -t assay\n",
			displayPath(o.Git), model.PlainCount(n, "conflict"))
		return ExitProblems
	} else if n > 0 {
		fmt.Fprintf(r.Err, "assay: %s; nothing written. Use --take mine, theirs, or both for all, or --take ID=mine for one\n",
			model.PlainCount(n, "conflict"))
		return ExitProblems
	}
	if o.Output == "" {
		return ExitOK
	}
	size, err := m.Save(ctx, export.Target{Path: o.Output, Replace: o.Replace}, r.OpenSource)
	if err != nil {
		return r.reportError(export.Failure(displayPath(o.Output), err))
	}
	if _, err := fmt.Fprintf(r.Out, "%s: %s\n", displayPath(o.Output), humanize.IBytes(uint64(size))); err != nil {
		return r.reportError(err)
	}
	return ExitOK
}

// checkMergeOutput returns an error if the output cannot be written. With Replace it may be one of the three inputs,
// which git requires. Another existing file must have the type of one of the versions. All texts count as one type,
// as a file with conflict markers may not be recognized.
func (r *Runner) checkMergeOutput(o MergeOptions, base, mine, theirs string) error {
	if o.Output == "" || o.ReplaceAny {
		return nil
	}
	if !o.Replace {
		return r.checkOutput(o.Output, newFile, base, mine, theirs)
	}
	if existing, err := os.Stat(o.Output); err == nil {
		for _, version := range []string{base, mine, theirs} {
			if r.isInput(version, existing) {
				return nil
			}
		}
	}
	return r.checkOutput(o.Output, outputKind{name: "a file of the merged kind", recognizes: func(src *model.Source) bool {
		for _, version := range []string{mine, theirs, base} {
			s, err := model.OpenFile(version)
			if err != nil {
				continue // opening it again reports the error
			}
			same := isSameType(src, s)
			s.Close()
			if same {
				return true
			}
		}
		return false
	}})
}

// typeHeadSize is the number of first bytes with which isSameType detects the types of two files.
const typeHeadSize = 4 << 10

// isSameType reports whether two files have the same type, or are both texts: a text with conflict markers may not be
// recognized as its type.
func isSameType(a, b *model.Source) bool {
	x, errX := a.Bytes(model.Span{Size: min(typeHeadSize, a.Size())})
	y, errY := b.Bytes(model.Span{Size: min(typeHeadSize, b.Size())})
	if errX != nil || errY != nil || len(y) == 0 {
		return false
	}
	isText := func(b []byte) bool { return text.IsText(b) && !bytes.ContainsRune(b, 0) }
	typ := content.TypeOf(x)
	return isText(x) && isText(y) || typ.Extension != "" && typ == content.TypeOf(y)
}

// applyResolutions applies the values of --take.
func applyResolutions(ctx context.Context, m *merge.Merging, resolutions []string) error {
	for _, text := range resolutions {
		id, word, hasID := strings.Cut(text, "=")
		if !hasID {
			word = text
		}
		take, ok := merge.ParseResolution(word)
		switch {
		case !ok:
			return fmt.Errorf("invalid --take value %s: use mine, theirs, or both", model.OneLine(word, 100))
		case hasID && !m.Resolve(id, take):
			return fmt.Errorf("cannot take %s for %s. Run without --take to list the IDs",
				word, model.OneLine(id, 100))
		case hasID:
			continue
		}
		for i := range m.Pieces {
			p := &m.Pieces[i]
			if p.State != merge.Conflict || p.Resolution != merge.Undecided {
				continue
			}
			if take == merge.TakeBoth && !p.CanTakeBoth {
				d, err := m.Detail(ctx, i)
				return cmp.Or(err, fmt.Errorf("%s cannot take both versions. Use --take %s=mine or theirs",
					model.OneLine(d.Name, 400), d.ID))
			}
			p.Resolution = take
		}
	}
	return nil
}

// writePieces prints a line for each piece: its resolution, and the values in the versions.
func (r *Runner) writePieces(ctx context.Context, m *merge.Merging) error {
	if m.WholeReason != "" {
		return r.writeWhole(ctx, m)
	}
	out := bufio.NewWriterSize(r.Out, 64<<10)
	_, err := m.Rows(ctx, r.OpenSource, func(row merge.Row) { writeRow(out, &row, m.Pieces[row.Piece].Resolution) })
	return cmp.Or(err, out.Flush())
}

// writeWhole prints why a file is merged as a whole, a line for its only piece, and below it the changes.
func (r *Runner) writeWhole(ctx context.Context, m *merge.Merging) error {
	fmt.Fprintf(r.Err, "assay: %s\n", m.WholeReason)
	d, err := m.Detail(ctx, 0)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(r.Out, 64<<10)
	p := m.Pieces[0]
	writeRow(out, &merge.Row{ID: d.ID, Where: d.Name, State: p.State, Texts: d.Texts}, p.Resolution)
	_, err = m.Rows(ctx, r.OpenSource, func(row merge.Row) {
		fmt.Fprintf(out, "  %s: %s", row.State, model.OneLine(row.Where, 400))
		writeTexts(out, row.Texts)
	})
	return cmp.Or(err, out.Flush())
}

// writeRow writes a line for a piece: its name, its ID in brackets, and its changes.
func writeRow(out *bufio.Writer, row *merge.Row, take merge.Resolution) {
	word := take.String()
	if take == merge.Undecided {
		word = "conflict"
	}
	fmt.Fprintf(out, "%-8s  %s [%s]", word, model.OneLine(row.Where, 400), row.ID)
	switch {
	case row.State == merge.Conflict:
		writeTexts(out, row.Texts)
		return
	case row.Lines == nil && row.Nodes != [3]*model.Node{}: // not lines, nor the whole file
		out.WriteString(": " + changeText(row))
	}
	out.WriteByte('\n')
}

// changeText returns what the versions that changed an asset did: "removed in mine".
func changeText(row *merge.Row) string {
	version, in := model.Mine, " in "+row.State.String()
	switch row.State {
	case merge.OnlyTheirs:
		version = model.Theirs
	case merge.BothSame:
		in = " in both"
	}
	old, new := row.Texts[model.Base], row.Texts[version]
	switch {
	case row.Nodes[version] == nil:
		return "removed" + in
	case row.Nodes[model.Base] == nil:
		return "added" + in
	case old == new:
		return "changed" + in
	}
	return "changed" + in + ": " + old + " → " + new
}

// writeTexts ends a line with the value of each version.
func writeTexts(out *bufio.Writer, texts [3]string) {
	fmt.Fprintf(out, ": mine: %s; theirs: %s; base: %s\n", orNothing(texts[1]), orNothing(texts[2]), orNothing(texts[0]))
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}
