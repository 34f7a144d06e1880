package merge

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/align"
	"assay/model/content"
)

// Resolution selects the version of a piece for the merged file.
type Resolution uint8

// The resolutions. Both: mine, then theirs. Edited: the user's text for a hunk.
const (
	Undecided Resolution = iota
	TakeMine
	TakeTheirs
	TakeBoth
	TakeEdited
)

var resolutionNames = [...]string{"", "mine", "theirs", "both", "edited"}

// String returns the name of the resolution, or "".
func (r Resolution) String() string { return resolutionNames[r] }

// version returns the version that r selects, or the base.
func (r Resolution) version() model.Version {
	switch r {
	case TakeMine:
		return model.Mine
	case TakeTheirs:
		return model.Theirs
	}
	return model.Base
}

// ParseResolution returns the named resolution, and false if there is no such name.
func ParseResolution(word string) (Resolution, bool) {
	for t, name := range resolutionNames {
		if name == word && name != "" && Resolution(t) != TakeEdited {
			return Resolution(t), true
		}
	}
	return Undecided, false
}

// Piece is a part of a file that can be resolved by itself: an asset, some lines of a text, the metadata of a package,
// or the whole file. There may be a million: Merging.Detail has the texts of one.
type Piece struct {
	State       State
	Resolution  Resolution
	CanTakeBoth bool  // whether both versions can be taken
	asset       int32 // in Merging.archive; none if the piece is not an asset
	hunk        int32 // in the text of the asset or of the file; none: all of it
}

// none is the index of a missing asset or hunk.
const none = -1

// Detail describes a piece for display.
type Detail struct {
	ID    string // its name among the pieces: the key of an asset, the number of a hunk, both as KEY:2, or metadata
	Name  string
	Texts [3]string // the content of each version in one line, or ""
	// Lines are the lines of a hunk in each version, with line numbers and context; nil for other pieces.
	Lines *[3]string
}

// Merging is a base file and two versions of it, and the resolutions of its pieces.
type Merging struct {
	Documents [3]*model.Document // base, mine, theirs; the base of two added files is empty
	Pieces    []Piece
	// WholeReason is the reason why the file can only be resolved as a whole, without a capital and a full stop; empty
	// if it has pieces.
	WholeReason string

	text    *textMerge            // of a text
	archive *model.ArchiveMerge   // of an archive
	texts   map[int32]*textMerge  // of assets that both changed, by their numbers in archive
	edited  map[int]string        // the user's texts for hunks, by piece
	both    []*compare.Comparison // of a whole file: base and mine, base and theirs; nil until needed
	byID    map[string][]int      // pieces by their IDs and their assets' IDs; nil until needed
}

// maxText is the size in bytes of the largest text that is merged.
const maxText = 16 << 20

// New compares three versions of a file. If only one version changed a piece, it is taken from that version; if both
// made the same change, from mine; any other piece is undecided.
func New(ctx context.Context, base, mine, theirs *model.Document) (*Merging, error) {
	m := &Merging{Documents: [3]*model.Document{base, mine, theirs}}
	var err error
	switch p := mine.Packer; {
	case p != nil && p == theirs.Packer && (p == base.Packer || base.Source.Size() == 0):
		err = m.addAssets(ctx, p)
	case m.areTexts():
		var versions [3][]byte
		for i, d := range m.Documents {
			if versions[i], err = d.Source.Bytes(model.Span{Size: d.Source.Size()}); err != nil {
				return nil, err
			}
		}
		m.text = mergeTexts(versions[0], versions[1], versions[2])
		m.addHunks(m.text, none)
	default:
		err = m.addWhole(ctx)
	}
	return m, err
}

// areTexts reports whether all versions are texts whose lines can be exchanged.
func (m *Merging) areTexts() bool {
	for v, d := range m.Documents {
		if d.Source.Size() > maxText || !isByteText(d.Source) && (v > 0 || d.Source.Size() > 0) {
			return false
		}
	}
	return true
}

// isByteText reports whether a file is empty, or a text without zero bytes: not UTF-16.
func isByteText(src *model.Source) bool {
	if src.Size() == 0 {
		return true
	}
	if !content.KindOf(src).Text {
		return false
	}
	b, err := src.Bytes(model.Span{Size: min(src.Size(), maxText)})
	return err == nil && bytes.IndexByte(b, 0) < 0
}

// addWhole adds the only piece of a file that is not merged.
func (m *Merging) addWhole(ctx context.Context) error {
	m.WholeReason = m.wholeReason()
	var same [3]bool
	for i, pair := range [3][2]int{{0, 1}, {0, 2}, {1, 2}} {
		var err error
		if same[i], err = sameFiles(ctx, m.Documents[pair[0]].Source, m.Documents[pair[1]].Source); err != nil {
			return err
		}
	}
	m.addPiece(none, !same[0], !same[1], same[2])
	return nil
}

// wholeReason returns the reason why a file is not merged in pieces.
func (m *Merging) wholeReason() string {
	mine, theirs := m.Documents[model.Mine], m.Documents[model.Theirs]
	if mine.Format != theirs.Format || mine.Packer != theirs.Packer {
		return fmt.Sprintf("cannot merge files of different formats (mine: %s; theirs: %s); "+
			"take one version", mine.Kind(), theirs.Kind())
	}
	if base := m.Documents[model.Base]; base.Packer != mine.Packer {
		return fmt.Sprintf("the base has a different format (%s; the versions: %s); take one version",
			base.Kind(), mine.Kind())
	}
	return fmt.Sprintf("cannot merge this format (%s); take one version", mine.Kind())
}

// decide returns the state of a piece and its default resolution.
func decide(mine, theirs, same bool) (State, Resolution) {
	switch {
	case same:
		return BothSame, TakeMine
	case !theirs:
		return OnlyMine, TakeMine
	case !mine:
		return OnlyTheirs, TakeTheirs
	}
	return Conflict, Undecided
}

// addPiece adds an asset or another piece, given which versions changed it.
func (m *Merging) addPiece(asset int32, mine, theirs, same bool) {
	p := Piece{asset: asset, hunk: none}
	p.State, p.Resolution = decide(mine, theirs, same)
	m.Pieces = append(m.Pieces, p)
}

// sameFiles reports whether two files have the same bytes.
func sameFiles(ctx context.Context, a, b *model.Source) (bool, error) {
	if a.Size() != b.Size() {
		return false, nil
	}
	offset, err := align.FirstDifference(ctx, a, 0, b, 0, a.Size(), nil)
	return offset == a.Size(), err
}

// addHunks adds the hunks of a text: of an asset, or of the file.
func (m *Merging) addHunks(t *textMerge, asset int32) {
	for i, h := range t.hunks {
		p := Piece{State: h.state, CanTakeBoth: true, asset: asset, hunk: int32(i)}
		_, p.Resolution = decide(h.state != OnlyTheirs, h.state != OnlyMine, h.state == BothSame)
		m.Pieces = append(m.Pieces, p)
	}
}

// addAssets adds the assets of a package that either version changed, and the hunks of a text that both changed. The
// metadata of the package comes last.
func (m *Merging) addAssets(ctx context.Context, packer *model.Packer) (err error) {
	d := m.Documents
	if m.archive, err = packer.Merge(ctx, d[0], d[1], d[2]); err != nil {
		return err
	}
	m.texts = make(map[int32]*textMerge)
	m.Pieces = make([]Piece, 0, len(m.archive.Assets)+1)
	for k := range m.archive.Assets {
		a, i := &m.archive.Assets[k], int32(k)
		mine, theirs := a.Changed[model.Mine], a.Changed[model.Theirs]
		if mine && theirs && !a.SameChange && a.SameMetadata {
			if t := m.mergeAssetTexts(ctx, a); t != nil {
				m.texts[i] = t
				m.addHunks(t, i)
				continue
			}
		}
		m.addPiece(i, mine, theirs, a.SameChange)
	}
	if metadata := &m.archive.Metadata; metadata.Changed[model.Mine] || metadata.Changed[model.Theirs] {
		m.addPiece(none, metadata.Changed[model.Mine], metadata.Changed[model.Theirs], metadata.SameChange)
	}
	return ctx.Err()
}

// Nodes returns the node of a piece in each version: an asset, metadata, or the root of a whole file; nil if a version
// does not have it.
func (m *Merging) Nodes(piece int) (nodes [3]*model.Node) {
	switch p := &m.Pieces[piece]; {
	case p.asset != none:
		for v, index := range m.archive.Assets[p.asset].Indexes {
			if index >= 0 {
				nodes[v] = m.Documents[v].Payloads.At(int(index)).Node
			}
		}
	case m.archive != nil:
		return m.archive.Metadata.Nodes
	case p.hunk == none:
		for v, d := range m.Documents {
			nodes[v] = d.Root()
		}
	}
	return nodes
}

// Detail describes a piece for display.
func (m *Merging) Detail(ctx context.Context, piece int) (d Detail, err error) {
	p, text := &m.Pieces[piece], m.text
	switch {
	case p.asset != none:
		d, err = m.assetDetail(ctx, p.asset)
		text = m.texts[p.asset]
	case m.archive != nil:
		d = Detail{Name: "metadata of the package", Texts: m.archive.Metadata.Texts}
	case p.hunk == none:
		d.Name = "the whole file"
		both, err := m.compareWhole(ctx)
		if err != nil {
			return d, err
		}
		for v, doc := range m.Documents {
			d.Texts[v] = model.Count(doc.Source.Size(), "byte")
			if v > 0 {
				d.Texts[v] = cmp.Or(changeOf(ctx, both[v-1]), d.Texts[v])
			}
		}
	}
	if d.ID = m.idOf(piece); p.hunk != none {
		d.describeHunk(text, &text.hunks[p.hunk])
	}
	return d, err
}

// piecesByID returns the indexes of the pieces by their IDs, and by their assets' IDs.
func (m *Merging) piecesByID() map[string][]int {
	pieces := make(map[string][]int, len(m.Pieces))
	for i, p := range m.Pieces {
		id := m.idOf(i)
		pieces[id] = append(pieces[id], i)
		if p.asset != none && p.hunk != none {
			key := m.archive.Key(int(p.asset))
			pieces[key] = append(pieces[key], i)
		}
	}
	return pieces
}

func (m *Merging) idOf(piece int) string {
	switch p := &m.Pieces[piece]; {
	case p.asset != none && p.hunk != none:
		return fmt.Sprint(m.archive.Key(int(p.asset)), ":", p.hunk+1)
	case p.asset != none:
		return m.archive.Key(int(p.asset))
	case p.hunk != none:
		return fmt.Sprint(p.hunk + 1)
	case m.archive != nil:
		return "metadata"
	}
	return "file"
}

// assetDetail describes an asset for display.
func (m *Merging) assetDetail(ctx context.Context, asset int32) (d Detail, err error) {
	for v, index := range m.archive.Assets[asset].Indexes {
		if index < 0 {
			continue
		}
		err := model.DescribeEach(ctx, m.Documents[v].Payloads, int(index), int(index)+1, func(_ int,
			payload *model.Payload) bool {
			d.Texts[v] = sizeText(payload)
			if d.Name == "" || v == int(model.Mine) {
				d.Name = payload.Name
			}
			return true
		})
		if err != nil {
			return d, err
		}
	}
	return d, nil
}

// describeHunk sets the lines of a hunk of a text, and its name.
func (d *Detail) describeHunk(t *textMerge, h *hunk) {
	d.Name, d.Lines = strings.TrimSpace(d.Name+" "+lineNumbers(h.lines[model.Mine])), new([3]string)
	for v := range d.Lines {
		d.Lines[v], d.Texts[v] = t.contextLines(v, h.lines[v]), ""
		if n := h.lines[v].len(); n > 0 {
			d.Texts[v] = model.OneLine(strings.TrimSpace(t.lines[v][h.lines[v].from]), 200)
			if n > 1 {
				d.Texts[v] += fmt.Sprintf(" … (%d lines)", n)
			}
		}
	}
}

// lineNumbers names lines by their numbers from 1.
func lineNumbers(s span) string {
	switch s.len() {
	case 0:
		return fmt.Sprintf("after line %d", s.from)
	case 1:
		return fmt.Sprintf("line %d", s.to)
	}
	return fmt.Sprintf("lines %d to %d", s.from+1, s.to)
}

// sizeText returns the size of an asset as text.
func sizeText(p *model.Payload) string {
	if p.Size < 0 {
		return model.Count(p.Stored.Size, "stored byte")
	}
	return model.Count(p.Size, "byte")
}

// mergeAssetTexts compares the versions of an asset line by line. It returns nil if a version is not a text, or if mine
// or theirs does not have the asset.
func (m *Merging) mergeAssetTexts(ctx context.Context, a *model.MergedAsset) *textMerge {
	if a.Indexes[model.Mine] < 0 || a.Indexes[model.Theirs] < 0 {
		return nil
	}
	var versions [3][]byte
	for v, index := range a.Indexes {
		if index < 0 {
			continue
		}
		payload := m.Documents[v].Payloads.At(int(index))
		src, err := payload.Nested(ctx, m.Documents[v].Source, maxText)
		if err != nil {
			return nil
		}
		if isByteText(src) {
			versions[v], err = src.Bytes(model.Span{Size: src.Size()})
		} else {
			err = errNotText
		}
		if src.Close(); err != nil {
			return nil
		}
	}
	return mergeTexts(versions[0], versions[1], versions[2])
}

var errNotText = errors.New("not a text")

// Undecided returns the number of pieces without a resolution.
func (m *Merging) Undecided() (n int) {
	for _, p := range m.Pieces {
		if p.Resolution == Undecided {
			n++
		}
	}
	return n
}

// Resolve resolves a piece, or all hunks of an asset, by its ID. It returns false if there is no such piece, or if
// resolution needs both versions of a piece that cannot have both.
func (m *Merging) Resolve(id string, resolution Resolution) (found bool) {
	if m.byID == nil {
		m.byID = m.piecesByID()
	}
	for _, i := range m.byID[id] {
		p := &m.Pieces[i]
		if resolution == TakeBoth && !p.CanTakeBoth {
			return false
		}
		p.Resolution, found = resolution, true
	}
	return found
}
