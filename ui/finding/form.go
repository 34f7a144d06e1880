package finding

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/find"
	"assay/model/query"
	"assay/model/search"
	"assay/ui/control"
	"assay/ui/paint"
)

// kind is a kind of search, with its name in the form and the placeholder of the search field.
type kind struct {
	searchKind search.Kind
	name, hint string
}

var kinds = []kind{
	{search.Names, "Names", "Name of a file, asset, or object, such as duck, *.png, size > 1 MB"},
	{search.Values, "Values", "A value or conditions on fields, such as class ~ texture width > 512"},
	{search.Text, "Text", ""},
	{search.Bytes, "Bytes", ""},
}

var orders = []string{"Either byte order", "Little endian", "Big endian"} // indexed by find.Order

// form is the form with the terms of a search.
type form struct {
	finder            *Finder
	kind              *control.Select
	field             *control.Filter
	interpretation    *control.Select   // interpretation of texts or of bytes
	interpretationBox fyne.CanvasObject // the container of interpretation
	order             *control.Select
	matchCase         *control.Check
	filter            *control.Filter
	findButton        *control.Button
	summary           *control.Caption
	content           fyne.CanvasObject

	interpretations []find.Interpretation // interpretations to choose from
	focused         bool                  // a text field has the keyboard focus
	lastKey         fyne.KeyName          // last key typed in the field
}

// interpretationWidth is the width of the longest name of an interpretation, in device-independent pixels.
const interpretationWidth = 140

func newForm(finder *Finder) *form {
	f := &form{finder: finder}
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	f.field = control.NewFilter(finder, "", func() *query.List { return f.chosenKind().searchKind.List() }, func() {})
	f.filter = control.NewFilter(finder, "Limit to, for example, *.png or size > 1 MB", search.Names.List, func() {})
	for _, typed := range []*control.Filter{f.field, f.filter} {
		typed.SetOnLeave(f.leaveField)
		field := typed.Field
		key, focus := field.OnKey, field.OnFocus
		field.OnKey = func(ev *fyne.KeyEvent, shift bool) bool {
			if f.lastKey = ev.Name; ev.Name == fyne.KeyEscape && finder.running {
				finder.Stop()
				return true
			}
			return key(ev, shift)
		}
		field.OnFocus = func(focused bool) {
			f.focused = focused
			focus(focused)
		}
	}
	f.kind = control.NewSelect(finder.Key, names, func(string) { f.chooseKind() })
	f.interpretation = control.NewSelect(finder.Key, nil, func(string) { f.chooseInterpretation() })
	f.order = control.NewSelect(finder.Key, orders, nil)
	f.order.SetSelectedIndex(0)
	f.matchCase = control.NewCheck(finder.Key, "Aa", nil).SetHint("Match case", finder.ShowHint)
	f.findButton = control.NewButton(finder.Key, "Find", theme.SearchIcon(), f.searchOrStop)
	f.summary = control.NewCaption(finder.ShowHint)
	save := control.NewIcon(finder, theme.DocumentSaveIcon(), "Save results as CSV", finder.SaveCSV)
	// The objects are in the order of the Tab key.
	first := container.New(layout.NewBorderLayout(nil, nil, f.kind, f.findButton), f.kind, f.field.Field, f.findButton)
	f.interpretationBox = container.New(paint.MinWidth(interpretationWidth), f.interpretation)
	toggles := container.NewHBox(f.interpretationBox, f.order, f.matchCase,
		widget.NewLabel("Search in "+model.OneLine(model.FileName(finder.root), 24)))
	second := container.New(layout.NewBorderLayout(nil, nil, toggles, save), toggles, f.filter.Field, save)
	f.content = container.NewVBox(first, second, f.summary)
	f.kind.SetSelectedIndex(2)
	return f
}

func (f *form) chosenKind() kind { return kinds[max(0, f.kind.SelectedIndex())] }

// chooseKind displays the fields for the kind of search.
func (f *form) chooseKind() {
	k := f.chosenKind()
	f.interpretations = nil
	for _, interpretation := range find.Interpretations {
		if k.searchKind == search.Text && interpretation.Text || k.searchKind == search.Bytes && !interpretation.Text {
			f.interpretations = append(f.interpretations, interpretation)
		}
	}
	var names []string
	for _, interpretation := range f.interpretations {
		names = append(names, interpretation.Short)
	}
	f.interpretation.Options = names
	paint.SetVisible(f.interpretationBox, len(names) > 0)
	paint.SetVisible(f.matchCase, k.searchKind == search.Text)
	f.field.Field.SetPlaceHolder(k.hint)
	if len(names) > 0 {
		f.interpretation.SetSelectedIndex(0)
	}
	f.chooseInterpretation()
}

// chooseInterpretation displays the fields for the interpretation of the search text.
func (f *form) chooseInterpretation() {
	chosen := f.chosenInterpretation()
	paint.SetVisible(f.order, chosen != nil && chosen.Number)
	if chosen != nil {
		f.field.Field.SetPlaceHolder(chosen.Hint)
	}
}

// chosenInterpretation returns the interpretation of the search text as bytes, or nil if the search is for names or
// values.
func (f *form) chosenInterpretation() *find.Interpretation {
	if len(f.interpretations) == 0 {
		return nil
	}
	return &f.interpretations[max(0, f.interpretation.SelectedIndex())]
}

// terms returns the content of the form.
func (f *form) terms() search.Terms {
	t := search.Terms{Kind: f.chosenKind().searchKind, Text: f.field.Field.Text, Only: f.filter.Field.Text}
	if chosen := f.chosenInterpretation(); chosen != nil {
		t.Interpretation, t.MatchCase = chosen.ID, f.matchCase.Checked && chosen.Text
		if chosen.Number {
			t.Order = find.Order(max(0, f.order.SelectedIndex()))
		}
	}
	return t
}

// isConditionForText reports whether a search for text has a condition as its text, such as size > 1 MB, which only
// searches for names and values support. It is false for the other kinds of searches.
func (f *form) isConditionForText() bool {
	if f.chosenKind().searchKind != search.Text {
		return false
	}
	parsed, err := query.Parse(f.field.Field.Text, search.Values.List())
	return err == nil && parsed.Words() == nil
}

// set fills in the form.
func (f *form) set(t search.Terms) {
	f.kind.SetSelectedIndex(max(0, slices.IndexFunc(kinds, func(k kind) bool { return k.searchKind == t.Kind })))
	hasID := func(interpretation find.Interpretation) bool { return interpretation.ID == t.Interpretation }
	f.interpretation.SetSelectedIndex(max(0, slices.IndexFunc(f.interpretations, hasID)))
	f.order.SetSelectedIndex(min(int(t.Order), len(orders)-1))
	f.matchCase.SetChecked(t.MatchCase)
	f.field.Field.SetText(t.Text)
	f.filter.Field.SetText(t.Only)
}

// leaveField is called when a key leaves a field: Enter searches, Down and Escape move the focus to the list.
func (f *form) leaveField(bool) {
	if f.lastKey == fyne.KeyReturn || f.lastKey == fyne.KeyEnter {
		f.finder.Search()
		return
	}
	f.finder.list.Focus()
}

// searchOrStop starts a search, or stops the running one.
func (f *form) searchOrStop() {
	if f.finder.running {
		f.finder.Stop()
		return
	}
	f.finder.Search()
}

// setSearching updates the button when a search starts or ends.
func (f *form) setSearching(on bool) {
	text, icon := "Find", theme.SearchIcon()
	if on {
		text, icon = "Stop", theme.MediaStopIcon()
	}
	f.findButton.SetText(text)
	f.findButton.SetIcon(icon)
}
