package compared

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
)

// HasRules reports whether rules differ from the default ones.
func HasRules(o compare.Options) bool {
	return o.Times || o.Layout || o.Texts.Any() || o.Tolerance > 0 || len(o.Names) > 0 ||
		o.Contents != compare.Automatic
}

// The settings of the rules for new comparisons, and of the saved rules.
const (
	defaultRulesSetting = host.Setting[compare.Options]("comparison.rules")
	ruleSetsSetting     = host.Setting[map[string]compare.Options]("comparison.rulesets")
)

// saveDefaultRules saves the rules for new comparisons.
func saveDefaultRules(o compare.Options) {
	o.Pairs = nil
	defaultRulesSetting.Save(o)
}

// DefaultRules returns the rules for new comparisons.
func DefaultRules() (o compare.Options) {
	defaultRulesSetting.Load(&o)
	return o
}

// ruleSets returns the saved rules by name.
func ruleSets() map[string]compare.Options {
	var stored map[string]compare.Options
	ruleSetsSetting.Load(&stored)
	sets := map[string]compare.Options{}
	maps.Copy(sets, stored)
	return sets
}

// IgnoredText returns the differences that the rules ignore, each as a short text.
func IgnoredText(c *compare.Comparison) []string {
	var out []string
	o := c.Options
	if o.Times {
		out = append(out, "timestamps are ignored")
	}
	if o.Tolerance > 0 {
		out = append(out, "float tolerance "+strconv.FormatFloat(o.Tolerance, 'g', -1, 64))
	}
	if len(o.Names) > 0 {
		out = append(out, "ignored fields: "+model.OneLine(strings.Join(o.Names, ", "), 100))
	}
	if kinds := ignoredInTexts(o.Texts); kinds != "" {
		out = append(out, "not compared in texts: "+kinds)
	}
	if c.Ignored > 0 {
		out = append(out, host.Count(c.Ignored, "difference")+" ignored by the rules")
	}
	return out
}

// ignoredInTexts names the differences of texts that the rules ignore.
func ignoredInTexts(t compare.TextRules) string {
	var kinds []string
	for i, rule := range textRules(&t) {
		if *rule {
			kinds = append(kinds, textRuleNames[i])
		}
	}
	return strings.Join(kinds, ", ")
}

// textRules returns the fields of t in the order of their names in the dialog.
func textRules(t *compare.TextRules) [5]*bool {
	return [5]*bool{&t.Indentation, &t.BlankLines, &t.LineEnds, &t.Comments, &t.Order}
}

var textRuleNames = [5]string{"indentation", "blank lines", "line ends", "comments", "order of properties"}

// rules are the fields of the dialog for the rules.
type rules struct {
	times, layout    *control.Check
	texts            [5]*control.Check // see textRules
	tolerance, names *control.Field
	contents         *control.Select
	error            *widget.Label

	sets *control.Select // the saved rules
	name *control.Field  // name to save the rules as
}

// contentChoices are the choices for comparing contents.
var contentChoices = []string{"Up to 128 MiB", "Never (use recorded checksum and size)", "Always"}

// AskRules opens the dialog for the rules, in the window of canvasObject.
func AskRules(h host.Host, canvasObject fyne.CanvasObject, o compare.Options, apply func(o compare.Options)) {
	canvas := fyne.CurrentApp().Driver().CanvasForObject(canvasObject)
	if canvas == nil {
		return
	}
	var pop *widget.PopUp
	escape := &escapeHost{h, func() { pop.Hide() }}
	button := func(label string, do func()) *control.Button { return control.NewButton(escape.Key, label, nil, do) }
	r := newRules(escape, o)
	done := func(o compare.Options) {
		pop.Hide()
		apply(o)
	}
	compareBy := func(save bool) func() {
		return func() {
			o, err := r.options(o)
			if r.showError(err); err != "" {
				return
			}
			if save {
				saveDefaultRules(o)
			}
			done(o)
		}
	}
	for _, f := range []*control.Field{r.tolerance, r.names} {
		f.OnSubmitted = func(string) { compareBy(false)() }
	}
	r.name.OnSubmitted = func(string) { r.save() }
	compareButton := button("Compare", compareBy(false))
	compareButton.Importance = widget.HighImportance
	form := container.NewVBox(
		widget.NewLabelWithStyle("Comparison rules", fyne.TextAlignLeading, fyne.TextStyle{Bold: true}),
		r.times, r.layout, widget.NewLabel("Ignore in texts"), r.textChecks(),
		widget.NewLabel("Float tolerance (absolute, or relative to the larger value)"),
		r.tolerance,
		widget.NewLabel("Fields to ignore (comma-separated)"), r.names,
		widget.NewLabel("Compare contents that have a recorded checksum"), r.contents,
		container.NewBorder(nil, nil, r.sets, container.NewHBox(button("Save rules", r.save),
			button("Delete", r.remove)), r.name),
		r.error)
	if n := len(o.Pairs); n > 0 {
		form.Add(button("Remove "+host.Count(n, "manual pair"), func() {
			o.Pairs = nil
			done(o)
		}))
	}
	form.Add(container.NewHBox(compareButton, button("Compare and Save as Default", compareBy(true)),
		button("Restore Defaults", func() {
			saveDefaultRules(compare.Options{})
			done(compare.Options{})
		}),
		button("Cancel", func() { pop.Hide() })))
	pop = widget.NewModalPopUp(container.NewPadded(form), canvas)
	pop.Show()
	canvas.Focus(r.tolerance)
}

// escapeHost is a Host; Escape calls close.
type escapeHost struct {
	host.Host
	close func()
}

func (e *escapeHost) Key(k *fyne.KeyEvent, shift bool) bool {
	if k.Name == fyne.KeyEscape {
		e.close()
		return true
	}
	return e.Host.Key(k, shift)
}

func newRules(h host.Host, o compare.Options) *rules {
	r := &rules{
		times:     control.NewCheck(h.Key, "Ignore timestamps (created, modified)", nil),
		layout:    control.NewCheck(h.Key, "Compare layout fields too (offsets, sizes, counts)", nil),
		tolerance: control.NewField(h, "0"),
		names:     control.NewField(h, "for example: exporter, comment"),
		contents:  control.NewSelect(h.Key, contentChoices, nil),
		error:     widget.NewLabel(""),
		name:      control.NewField(h, "Rule set name"),
	}
	for i, name := range textRuleNames {
		r.texts[i] = control.NewCheck(h.Key, strings.ToUpper(name[:1])+name[1:], nil)
	}
	r.sets = control.NewSelect(h.Key, slices.Sorted(maps.Keys(ruleSets())), r.load)
	r.sets.PlaceHolder = "Saved rule sets"
	r.error.Importance = widget.DangerImportance
	r.error.Hide()
	r.set(o)
	return r
}

// textChecks returns a line with the checks of the rules for texts.
func (r *rules) textChecks() fyne.CanvasObject {
	line := container.NewHBox()
	for _, c := range r.texts {
		line.Add(c)
	}
	return line
}

// set shows rules in the fields.
func (r *rules) set(o compare.Options) {
	for i, rule := range textRules(&o.Texts) {
		r.texts[i].SetChecked(*rule)
	}
	r.times.SetChecked(o.Times)
	r.layout.SetChecked(o.Layout)
	tolerance := ""
	if o.Tolerance > 0 {
		tolerance = strconv.FormatFloat(o.Tolerance, 'g', -1, 64)
	}
	r.tolerance.SetText(tolerance)
	r.names.SetText(strings.Join(o.Names, ", "))
	r.contents.SetSelectedIndex(int(o.Contents))
}

// load shows the saved rules with a name.
func (r *rules) load(name string) {
	if o, ok := ruleSets()[name]; ok {
		r.set(o)
		r.name.SetText(name)
	}
}

// save saves the rules in the fields with the name in the name field.
func (r *rules) save() {
	name := strings.TrimSpace(r.name.Text)
	o, err := r.options(compare.Options{})
	if name == "" {
		err = "Enter a name for the rule set."
	}
	if r.showError(err); err != "" {
		return
	}
	sets := ruleSets()
	sets[name] = o
	ruleSetsSetting.Save(sets)
	r.sets.SetOptions(slices.Sorted(maps.Keys(sets)))
	r.sets.SetSelected(name)
}

// remove deletes the selected saved rules.
func (r *rules) remove() {
	sets := ruleSets()
	delete(sets, r.sets.Selected)
	ruleSetsSetting.Save(sets)
	r.sets.ClearSelected()
	r.sets.SetOptions(slices.Sorted(maps.Keys(sets)))
	r.name.SetText("")
}

// showError displays an error in the rules; "" clears it.
func (r *rules) showError(text string) {
	r.error.SetText(text)
	paint.SetVisible(r.error, text != "")
}

// options returns the rules from the fields, or an error text.
func (r *rules) options(o compare.Options) (compare.Options, string) {
	o.Times, o.Layout, o.Tolerance, o.Names = r.times.Checked, r.layout.Checked, 0, nil
	for i, rule := range textRules(&o.Texts) {
		*rule = r.texts[i].Checked
	}
	if s := strings.TrimSpace(r.tolerance.Text); s != "" {
		v, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", "."), 64)
		if err != nil || !(v >= 0) || v > 1e300 {
			return o, "Enter a tolerance of 0 or more, such as 0.001."
		}
		o.Tolerance = v
	}
	for _, n := range strings.Split(r.names.Text, ",") {
		if n = strings.TrimSpace(n); n != "" {
			o.Names = append(o.Names, n)
		}
	}
	o.Contents = compare.Reading(max(0, r.contents.SelectedIndex()))
	return o, ""
}
