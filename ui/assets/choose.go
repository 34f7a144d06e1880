package assets

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/archive"
	"assay/ui/command"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/rows"
)

// maxSelected is the maximum number of assets that a command applies to.
const maxSelected = 100_000

// selectedAssets lists the selected assets, or the current one if none is selected. A group counts for all assets
// in it. truncated reports whether more are selected.
func (p *Panel) selectedAssets() (all []int, truncated bool) {
	selected, current := p.selection()
	if selected.Count() == 0 && current >= 0 {
		selected.Add(current, current+1)
	}
	add := func(i int) bool {
		if len(all) == maxSelected {
			truncated = true
			return false
		}
		all = append(all, i)
		return true
	}
	for row := range selected.Below(p.listing.Len()) {
		g, ok := p.listing.group(row)
		if !ok {
			if i := p.listing.asset(row); i >= 0 && !add(i) {
				return all, truncated
			}
			continue
		}
		if g < 0 {
			continue
		}
		for _, i := range p.tree.AssetsBelow(g) {
			if !add(int(i)) {
				return all, truncated
			}
		}
	}
	return all, truncated
}

// Filtered lists the assets that match the filter; ok is false if there is no filter.
func (p *Panel) Filtered() (positions []int, ok bool) {
	if !p.listing.filtered {
		return nil, false
	}
	for _, i := range p.listing.assets {
		positions = append(positions, int(i))
	}
	return positions, true
}

// CommandAssets lists the assets for a command on many: several selected ones, else the matches of the filter, else the
// open folder's.
func (p *Panel) CommandAssets() []int {
	if all, _ := p.selectedAssets(); len(all) > 1 || p.tree == nil {
		return all
	}
	if positions, ok := p.Filtered(); ok {
		return positions
	}
	var all []int
	for _, i := range p.tree.AssetsBelow(p.currentGroup) {
		all = append(all, int(i))
	}
	return all
}

// Current returns the asset of the current row, or -1.
func (p *Panel) Current() int {
	_, current := p.selection()
	return p.listing.asset(current)
}

// selectionChanged reports the selection to the other panels.
func (p *Panel) selectionChanged() { p.reportSelection(nil) }

// reportSelection selects the current asset in the other panels, or the document if the current row is a group, then
// calls done, which may be nil. If only the row ".." is selected, it calls OnUp instead.
func (p *Panel) reportSelection(done func()) {
	_, current := p.selection()
	i := p.listing.asset(current)
	all, truncated := p.selectedAssets()
	if len(all) == 0 {
		if p.choosing.Stop(); p.OnUp != nil && current >= 0 {
			p.OnUp()
		}
		return
	}
	if i < 0 {
		i = all[0]
	}
	d := p.document
	isGroup := p.listing.asset(current) < 0 // the current row is a folder
	group := p.onlyGroup()                  // before the listing changes
	text, assets := p.countText(), p.archive
	p.choosing.Go(func(context.Context) func() {
		var facts archive.Facts
		if isGroup || len(all) > 1 {
			facts = assets.Facts(all)
			text = describeFacts(facts, truncated)
		}
		n := doc.AssetNode(d, i)
		if n == nil {
			return nil
		}
		path := n.Path()
		if isGroup {
			path = model.Path{}
		}
		return func() {
			if p.document != d {
				return
			}
			p.count.SetText(text)
			p.reportedPath = path
			p.OnSelect(path, doc.AssetNodes(d, all, truncated))
			if isGroup && p.OnGroup != nil {
				p.OnGroup(d, group, all, facts)
			}
			if done != nil {
				done()
			}
		}
	})
}

// describeFacts returns the number of selected assets, their size, and their common values.
func describeFacts(f archive.Facts, truncated bool) string {
	text := host.Number(f.Count) + " selected"
	if truncated {
		text = "The first " + text
	}
	switch {
	case f.Size == 0: // no size is recorded, or all are empty
		text += ", " + host.Size(f.Stored)
	case f.Unsized:
		text += ", at least " + host.Size(f.Size)
	default:
		text += ", " + host.Size(f.Size)
	}
	for _, fact := range f.Same {
		text += " · " + fact.Column + " " + model.OneLine(fact.Value, 40)
	}
	if f.Folder != "" {
		text += " · in " + model.OneLine(f.Folder, 60)
	}
	return text
}

// onlyGroup returns the name of the selected group. It returns "" for any other selection, and for the row "..".
func (p *Panel) onlyGroup() string {
	selected, current := p.selection()
	g, ok := p.listing.group(current)
	if !ok || g < 0 || selected.Count() > 1 {
		return ""
	}
	return p.tree.Groups[g].Name
}

// selectAssetOf selects the asset that contains a node selected in another panel.
func (p *Panel) selectAssetOf(n *model.Node) {
	d := p.document
	if d.Payloads == nil {
		return
	}
	p.reportedPath = nil
	p.finding.Go(func(ctx context.Context) func() {
		i, err := d.OnlyAsset(ctx, n)
		if err != nil || i < 0 {
			return nil
		}
		return func() {
			if p.document == d {
				p.reveal(i)
			}
		}
	})
}

// ShowKind lists the assets of a type, of all folders.
func (p *Panel) ShowKind(name string) {
	p.SetFilter(fmt.Sprintf("type = %q", name))
}

// Filter returns the text of the filter.
func (p *Panel) Filter() string { return p.filterField.Text }

// SetFilter lists the assets that match a filter, in all groups.
func (p *Panel) SetFilter(text string) {
	p.currentGroup = 0
	p.filterField.SetText(text)
	p.Focus()
}

// reveal selects an asset, and enters its group if needed. A filter that excludes the asset stays.
func (p *Panel) reveal(i int) {
	if p.archive == nil || i >= p.archive.Len() {
		return
	}
	if p.tree == nil || p.treeOutdated {
		p.revealAsset = i
		return
	}
	if i == p.Current() {
		return
	}
	if row := p.listing.rowOf(i); row >= 0 {
		p.setSelection(row)
		return
	}
	if p.listing.filtered {
		return
	}
	p.revealAsset, p.currentGroup = i, p.tree.GroupOf(i)
	for g := p.currentGroup; g > 0; g = p.tree.Groups[g].Parent {
		delete(p.closed, p.path(g))
	}
	p.update(0)
}

func (p *Panel) activate(row int64) {
	if g, ok := p.listing.group(row); ok {
		switch {
		case g < 0:
			p.EnterParent()
		case p.listing.lines != nil:
			p.setExpanded(row, g, p.closed[p.path(g)])
		default:
			p.enter(g)
		}
		return
	}
	p.reportSelection(p.OnOpen)
}

// EnterParent enters the parent group.
func (p *Panel) EnterParent() {
	if p.tree == nil || p.currentGroup == 0 {
		return
	}
	p.enter(p.tree.Groups[p.currentGroup].Parent)
}

func (p *Panel) menu(row int64, pos fyne.Position) {
	if all, _ := p.selectedAssets(); len(all) == 0 {
		return
	}
	p.reportSelection(func() { p.OnMenu(pos) })
}

func (p *Panel) drag(int64, fyne.Position) rows.Drag {
	all, truncated := p.selectedAssets()
	if len(all) == 0 {
		return nil
	}
	return p.Drag(p.document, doc.AssetNodes(p.document, all, truncated), p.SelectedFolders()...)
}

// SelectedFolders returns the names of the selected folders.
func (p *Panel) SelectedFolders() (names []string) {
	if p.groupWord() != "folder" {
		return nil
	}
	selected, _ := p.selection()
	for row := range selected.Below(p.listing.Len()) {
		if g, ok := p.listing.group(row); ok && g > 0 {
			names = append(names, strings.Join(p.tree.Names(g), "/"))
		}
	}
	return names
}

// typeAhead selects the next row that begins with the typed text.
func (p *Panel) typeAhead(prefix string) {
	_, current := p.selection()
	n := p.listing.Len()
	prefix = strings.ToLower(prefix)
	first := max(0, current)
	if len([]rune(prefix)) == 1 {
		first = current + 1
	}
	for offset := range n {
		row := (first + offset) % n
		if strings.HasPrefix(strings.ToLower(p.name(row)), prefix) {
			p.setSelection(row)
			p.selectionChanged()
			return
		}
	}
}

func (p *Panel) name(row int64) string {
	if g, ok := p.listing.group(row); ok {
		if g < 0 {
			return ".."
		}
		return p.tree.Groups[g].Name
	}
	if i := p.listing.asset(row); i >= 0 {
		return p.archive.Base(i)
	}
	return ""
}

func (p *Panel) handleKey(ev *fyne.KeyEvent, shift bool) bool {
	switch p.Keys().At(command.Assets, command.KeyOf(ev, shift)) {
	case "assets.up":
		p.EnterParent()
		return true
	case "assets.preview":
		if p.OnPreview != nil {
			p.OnPreview()
		}
		return true
	}
	if ev.Name == fyne.KeyEscape && p.filterField.Text != "" {
		p.filterField.SetText("")
		return true
	}
	return false
}

func (p *Panel) leaveFilter(toList bool) {
	p.Focus()
	if _, current := p.selection(); toList && current < 0 && p.listing.Len() > 0 {
		p.setSelection(0)
		p.selectionChanged()
	}
}

// copy copies the selected assets as files.
func (p *Panel) copy(s fyne.Shortcut) bool {
	if _, ok := s.(*fyne.ShortcutCopy); !ok || p.archive == nil {
		return false
	}
	if all, truncated := p.selectedAssets(); len(all) > 0 && p.OnCopy != nil {
		p.OnCopy(p.document, doc.AssetNodes(p.document, all, truncated), p.SelectedFolders()...)
	}
	return true
}

// Verify compares the contents of the listed assets, or of several selected ones, with the recorded checksums.
func (p *Panel) Verify() {
	if p.archive == nil {
		return
	}
	all := slices.Clone(p.listing.assets)
	if selected, _ := p.selectedAssets(); len(selected) > 1 {
		all = all[:0]
		for _, i := range selected {
			all = append(all, uint32(i))
		}
	}
	p.verify(all, 0, func(checked, failed int) { p.ShowHint(verifyResult(checked, failed)) })
}

// maxVerified is the maximum size of a file, and of its expanded assets, whose checksums are verified when the list
// opens.
const maxVerified = 64 << 20

// verifyFew verifies the checksums of a small file.
func (p *Panel) verifyFew() {
	if !p.archive.IsInformative(archive.Checksum) || p.document.Source.Size() > maxVerified ||
		p.archive.Len() > maxSelected {
		return
	}
	all := make([]uint32, p.archive.Len())
	for i := range all {
		all[i] = uint32(i)
	}
	p.verify(all, maxVerified, nil)
}

// verify compares the contents of assets with the recorded checksums, then calls done. Without done, it displays no
// progress. A limit above 0 is the maximum size of the contents that it reads, without compressed ones of unknown size.
func (p *Panel) verify(all []uint32, limit int64, done func(checked, failed int)) {
	a, d, bounded := p.archive, p.document, limit > 0
	p.checking.Go(func(ctx context.Context) func() {
		progress := p.group.Progress(ctx, func(n, total int64) {
			if done != nil {
				p.Busy("Verifying checksums", float64(n)/float64(max(1, total)), p.stopVerify)
			}
			p.Refresh()
		})
		failed, checked := 0, 0
		for k, i := range all {
			if ctx.Err() != nil {
				return nil
			}
			progress(int64(k), int64(len(all)))
			asset := d.Payloads.At(int(i))
			if bounded {
				if asset.Size < 0 && asset.Codec != "" {
					continue
				}
				if limit -= max(0, asset.Size, asset.Stored.Size); limit < 0 {
					break
				}
			}
			v, _, err := asset.Check(ctx)
			if err != nil {
				v = model.Unknown
			}
			a.SetVerdict(int(i), v)
			if v == model.Invalid {
				failed++
			}
			if v == model.Valid || v == model.Invalid {
				checked++
			}
		}
		return func() {
			p.Refresh()
			if done != nil {
				p.Busy("", 0, nil)
				done(checked, failed)
			}
		}
	})
}

func (p *Panel) stopVerify() {
	p.checking.Stop()
	p.Busy("", 0, nil)
}

// verifyResult returns the result of a comparison of checksums.
func verifyResult(checked, failed int) string {
	switch {
	case checked == 0:
		return "These assets have no recorded checksums."
	case failed == 0:
		return host.Count(checked, "checksum") + " verified: all match."
	}
	return host.Count(checked, "checksum") + " compared: " + host.Number(failed) +
		" do not match. To list them, filter by checksum = invalid."
}
