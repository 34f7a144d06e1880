package exporting

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"fyne.io/fyne/v2/widget"

	"assay/model/export"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

const (
	// planMax is how many assets are planned while the user still chooses; more are planned when the export begins.
	planMax   = 50_000
	planDelay = 120 * time.Millisecond // after the last letter
)

// replan finds the names that the files would get, in the background.
func (p *Panel) replan() {
	p.plan, p.planAt, p.planBusy = nil, nil, false
	p.planning.Stop()
	p.list.changed()
	if p.run != nil {
		return // its names would change while the files appear
	}
	n := len(p.basket.items)
	switch {
	case n == 0:
		p.foot.say("", widget.LowImportance)
	case p.settings.wrong != "":
		p.foot.say(host.SentenceOf(p.settings.wrong), widget.DangerImportance)
	case n > planMax:
		p.foot.say(host.Count(n, "asset")+" (file names are decided during export)", widget.MediumImportance)
	default:
		p.planBusy = true
		p.foot.say(host.Count(n, "asset"), widget.MediumImportance)
		p.beginPlan(p.basket.picks(p.basket.all()))
	}
	paint.Enable(p.foot.button, n > 0 && p.settings.wrong == "")
}

func (p *Panel) beginPlan(picks []export.Pick) {
	o, folder := p.options(), p.settings.preset.Folder
	p.planning.Go(func(ctx context.Context) func() {
		if !p.group.Pause(ctx, planDelay) {
			return nil
		}
		plan, exact, err := planned(ctx, folder, picks, o)
		if ctx.Err() != nil {
			return nil
		}
		var at []int32
		var forms []string
		excess := false
		if err == nil {
			at, forms = firstItems(plan)
			_, excess, err = plan.Excess(ctx)
		}
		return func() {
			p.planBusy = false
			if err != nil {
				p.complain(err)
				return
			}
			p.plan, p.planAt = plan, at
			p.list.learn(forms...)
			p.list.rows.Refresh()
			p.sum(plan, exact, excess)
		}
	})
}

// planned makes a plan and closes the folder. exact says that the plan knows every file that is skipped.
func planned(ctx context.Context, folder string, picks []export.Pick, o export.Options,
) (plan *export.Plan, exact bool, err error) {
	var in export.Folder = export.Nowhere{}
	if filepath.IsAbs(folder) {
		d := export.OpenDirectory(folder)
		defer d.Close()
		in = export.Nowhere{Like: d}
	}
	if plan, err = export.NewPlan(ctx, in, picks, o); err == nil {
		exact, err = plan.Foresee(ctx)
	}
	return plan, exact, err
}

// firstItems returns the first item of each pick, as a form of several files has one for each, and all forms.
func firstItems(plan *export.Plan) (at []int32, forms []string) {
	for i := range plan.Len() {
		item := plan.Item(i)
		if !item.First() {
			continue
		}
		at = append(at, int32(i))
		if !slices.Contains(forms, item.Form) {
			forms = append(forms, item.Form)
		}
	}
	return at, forms
}

// options is how the user wants it.
func (p *Panel) options() export.Options {
	return export.Options{Names: p.settings.template, Conflict: p.settings.rule, Usual: true, Once: true,
		Forms: p.settings.preset.Forms, Prefer: p.settings.preset.Prefer}
}

// sum shows the files, bytes and exceptions of a plan.
func (p *Panel) sum(plan *export.Plan, exact, excess bool) {
	files, bytes := plan.Counts()
	text := host.Count(files, "file")
	unsized, renamed, taken, same, wrong := false, 0, 0, 0, 0
	for i := range plan.Len() {
		item := plan.Item(i)
		unsized = unsized || item.Size < 0
		switch {
		case item.Problem != "":
			wrong++
		case item.Same != "":
			same++
		case item.Exists:
			taken++
		case item.Renamed:
			renamed++
		}
	}
	if bytes > 0 || !unsized {
		text += ", " + host.Size(bytes)
		if unsized {
			text += " or more"
		}
	}
	switch {
	case renamed > 0 && exact:
		text += ", " + host.Number(renamed) + " renamed"
	case renamed > 0:
		text += ", " + host.Number(renamed) + " renamed or skipped"
	}
	if same > 0 {
		text += ", " + host.Number(same) + " already exported"
	}
	if taken > 0 {
		text += ", " + host.Number(taken) + " already in the folder"
	}
	importance := widget.MediumImportance
	if wrong > 0 {
		text += ", " + host.Number(wrong) + " cannot be exported"
		importance = widget.WarningImportance
	}
	if excess {
		text += "; expands to far more than its stored size"
		importance = widget.WarningImportance
	}
	p.foot.say(text, importance)
}

// Remove takes the selected rows out of the list.
func (p *Panel) Remove() {
	which := p.list.selected()
	if which.Count() == 0 {
		return
	}
	row := which.All()[0].From
	p.basket.remove(which)
	p.list.rows.SetSelection(rows.Intervals{})
	p.changed()
	p.list.rows.SetCurrent(min(row, int64(len(p.basket.items))-1))
}
