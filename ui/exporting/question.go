package exporting

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/export"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
)

// question is a question to the user during an export.
type question struct {
	text    string
	choices []string
	repeats bool // more questions of this kind may follow
}

// existsQuestion returns the question whether to replace an existing file.
func existsQuestion(item export.Item, folder string) question {
	q := question{text: model.OneLine(item.Target, 200) + " already exists in this folder", repeats: true}
	for _, c := range existsChoices {
		q.choices = append(q.choices, c.label)
	}
	if existing, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(item.Target))); err == nil &&
		existing.Mode().IsRegular() {
		q.text += ": " + describeFile(existing.Size(), existing.ModTime())
		if item.Size >= 0 {
			q.text += ". New file: " + describeFile(item.Size, item.From.At(item.Index).ModTime)
		}
	}
	q.text += "."
	return q
}

// describeFile returns the size and the date of a file, as text.
func describeFile(bytes int64, modified time.Time) string {
	if modified.IsZero() {
		return host.Size(bytes)
	}
	return host.Size(bytes) + ", " + modified.Format("2006-01-02 15:04")
}

// answer is the choice of the user.
type answer struct {
	choice int  // index of the button
	all    bool // same answer for all following questions
}

// askUser displays a question in the panel and waits for the answer. It returns false if the export ends first.
func (p *Panel) askUser(ctx context.Context, q question) (a answer, ok bool) {
	answered := make(chan answer, 1)
	p.group.Do(ctx, func() {
		p.footer.showMessage("Waiting for an answer…", widget.MediumImportance)
		first := p.showQuestion(q, func(a answer) {
			p.question.RemoveAll()
			p.question.Refresh()
			select {
			case answered <- a:
			default:
			}
		})
		if p.ShowExport(); len(p.question.Objects) > 0 {
			p.window.Canvas().Focus(first)
		}
	})
	select {
	case a := <-answered:
		return a, true
	case <-ctx.Done():
		return answer{}, false
	}
}

// showQuestion displays a question, and returns the button of the first choice.
func (p *Panel) showQuestion(q question, answered func(answer)) (first *control.Button) {
	text := widget.NewLabel(q.text)
	text.Wrapping = fyne.TextWrapWord
	canvas := p.window.Canvas()
	focused := canvas.Focused()
	forAll := control.NewCheck(p.Key, "Do this for all remaining files", nil)
	buttons := container.NewHBox()
	for i, label := range q.choices {
		buttons.Add(control.NewButton(p.Key, label, nil, func() {
			if focused == nil {
				canvas.Unfocus()
			} else {
				canvas.Focus(focused)
			}
			answered(answer{i, forAll.Checked})
		}))
	}
	if !q.repeats {
		forAll.Hide()
	}
	background := paint.NewTint(theme.ColorNameWarning, 0x2a)
	p.question.Objects = []fyne.CanvasObject{container.NewStack(background, container.NewVBox(text, buttons, forAll))}
	p.question.Refresh()
	return buttons.Objects[0].(*control.Button)
}

// existsChoices lists the answers for a file name that already exists.
var existsChoices = []struct {
	label string
	rule  export.Rule
}{{"Keep Both", export.Number}, {"Skip", export.Skip}, {"Overwrite", export.Overwrite}}

// askExisting asks for a rule for a file name that already exists in the folder.
func (p *Panel) askExisting(ctx context.Context, item export.Item, folder string) export.Answer {
	a, ok := p.askUser(ctx, existsQuestion(item, folder))
	if !ok {
		return export.Answer{Rule: export.Skip, All: true}
	}
	return export.Answer{Rule: existsChoices[a.choice].rule, All: a.all}
}

// askExcess asks whether to continue an export of extreme size.
func (p *Panel) askExcess(ctx context.Context, excess export.Excess) bool {
	a, ok := p.askUser(ctx, question{text: host.Sentence(excess), choices: []string{"Export Anyway", "Stop"}})
	return ok && a.choice == 0
}
