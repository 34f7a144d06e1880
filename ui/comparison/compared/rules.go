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

// AnyIn reports whether others than the usual rules are in force.
func AnyIn(o compare.Options) bool {
	return o.Times || o.Layout || o.Texts.Any() || o.Tolerance > 0 || len(o.Names) > 0 ||
		o.Contents != compare.Automatic
}

// The rules of later comparisons, and the rules that were saved, by name.
const (
	laterRules = host.Setting[compare.Options]("comparison.rules")
	namedRules = host.Setting[map[string]compare.Options]("comparison.rulesets")
)

// keepRules has later comparisons begin with these rules.
func keepRules(o compare.Options) {
	o.Pairs = nil
	laterRules.Save(o)
}

// Kept are the rules that a comparison begins with.
func Kept() (o compare.Options) {
	laterRules.Load(&o)
	return o
}

// ruleSets are the rules that were saved, by name.
func ruleSets() map[string]compare.Options {
	var stored map[string]compare.Options
	namedRules.Load(&stored)
	sets := map[string]compare.Options{}
	maps.Copy(sets, stored)
	return sets
}

// LeftOut returns the differences that the rules ignore, each as a short text.
func LeftOut(c *compare.Comparison) []string {
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
	if kinds := leftOutOfTexts(o.Texts); kinds != "" {
		out = append(out, "not compared in texts: "+kinds)
	}
	if c.Ignored > 0 {
		out = append(out, host.Count(c.Ignored, "difference")+" ignored by the rules")
	}
	return out
}

// leftOutOfTexts names the differences of texts that the rules ignore.
func leftOutOfTexts(t compare.TextRules) string {
	var kinds []string
	for i, rule := range textRules(&t) {
		if *rule {
			kinds = append(kinds, textRuleNames[i])
		}
	}
	return strings.Join(kinds, ", ")
}

// textRules are the rules of texts in the order of their names.
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

	sets *control.Select // the rules that were saved
	name *control.Field  // under which these are
}

// readings are the ways to compare contents, as the user chooses them.
var readings = []string{"Up to 128 MiB", "Never (use recorded checksum and size)", "Always"}

// Ask opens the dialog for the rules, in the window of an object.
func Ask(h host.Host, canvasObject fyne.CanvasObject, o compare.Options, apply func(o compare.Options)) {
	canvas := fyne.CurrentApp().Driver().CanvasForObject(canvasObject)
	if canvas == nil {
		return
	}
	var pop *widget.PopUp
	escape := &escaped{h, func() { pop.Hide() }}
	button := func(label string, do func()) *control.Button { return control.NewButton(escape.Key, label, nil, do) }
	r := newRules(escape, o)
	done := func(o compare.Options) {
		pop.Hide()
		apply(o)
	}
	compareBy := func(save bool) func() {
		return func() {
			o, err := r.options(o)
			if r.complain(err); err != "" {
				return
			}
			if save {
				keepRules(o)
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
		form.Add(button("Remove "+host.Count(int64(n), "manual pair"), func() {
			o.Pairs = nil
			done(o)
		}))
	}
	form.Add(container.NewHBox(compareButton, button("Compare and Save as Default", compareBy(true)),
		button("Restore Defaults", func() {
			keepRules(compare.Options{})
			done(compare.Options{})
		}),
		button("Cancel", func() { pop.Hide() })))
	pop = widget.NewModalPopUp(container.NewPadded(form), canvas)
	pop.Show()
	canvas.Focus(r.tolerance)
}

// escaped is a Host; Escape calls close.
type escaped struct {
	host.Host
	close func()
}

func (e *escaped) Key(k *fyne.KeyEvent, shift bool) bool {
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
		contents:  control.NewSelect(h.Key, readings, nil),
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

// textChecks are the checks of the rules of texts in a line.
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

// load shows rules that were saved.
func (r *rules) load(name string) {
	if o, ok := ruleSets()[name]; ok {
		r.set(o)
		r.name.SetText(name)
	}
}

// save keeps the rules in the fields under the name in its field.
func (r *rules) save() {
	name := strings.TrimSpace(r.name.Text)
	o, err := r.options(compare.Options{})
	if name == "" {
		err = "Enter a name for the rule set."
	}
	if r.complain(err); err != "" {
		return
	}
	sets := ruleSets()
	sets[name] = o
	namedRules.Save(sets)
	r.sets.SetOptions(slices.Sorted(maps.Keys(sets)))
	r.sets.SetSelected(name)
}

// remove forgets the rules that are chosen.
func (r *rules) remove() {
	sets := ruleSets()
	delete(sets, r.sets.Selected)
	namedRules.Save(sets)
	r.sets.ClearSelected()
	r.sets.SetOptions(slices.Sorted(maps.Keys(sets)))
	r.name.SetText("")
}

// complain shows an error in the rules; "" clears it.
func (r *rules) complain(text string) {
	r.error.SetText(text)
	paint.Show(r.error, text != "")
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
