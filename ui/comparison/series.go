package comparison

import (
	"context"
	"fmt"
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/compare"
	"assay/ui/comparison/compared"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/tabs"
)

// Series compares each of several states with the one before. It is a tab of the window.
type Series struct {
	compared.Deps
	sides   []compared.Side
	step    int // compares sides[step] with sides[step+1]
	current *Comparison
	bars    *stepBars
	slider  *control.Slider
	label   *compared.Title
	content fyne.CanvasObject
}

// NewSeries compares at least two states in their order.
func NewSeries(deps compared.Deps, sides []compared.Side) *Series {
	s := &Series{Deps: deps, sides: sides}
	s.bars = newStepBars(deps.Style, len(sides)-1, s.Show)
	s.slider = control.NewSlider(s.Key, 0, float64(max(1, len(sides)-2)))
	s.slider.Step = 1
	s.slider.OnChanged = func(v float64) { s.showStep(int(v)) }
	s.slider.OnChangeEnded = func(v float64) { s.Show(int(v)) }
	s.label = compared.NewTitle(s, s.Style)
	head := paint.NewHeader(container.NewGridWithColumns(2, s.label, container.NewVBox(s.bars, s.slider)))
	deps.Group = s.Group.Subgroup()
	old, new := s.pair(0)
	s.current = New(deps, old, new)
	s.content = container.NewBorder(head, nil, nil, nil, s.current.Content())
	s.showStep(0)
	s.countChanges()
	return s
}

// Show compares the state of a step with the next one.
func (s *Series) Show(step int) {
	step = max(0, min(step, len(s.sides)-2))
	if step == s.step {
		return
	}
	s.goTo(step)
	s.current.setSides(s.pair(step))
}

// pair returns the states of a step. The Neighbor of the new one goes to another step and returns its states.
func (s *Series) pair(step int) (old, new compared.Side) {
	old, new = s.sides[step], s.sides[step+1]
	new.Neighbor = func(delta int) (a, b compared.Side, ok bool) {
		if step+delta < 0 || step+delta > len(s.sides)-2 {
			return a, b, false
		}
		s.goTo(step + delta)
		a, b = s.pair(step + delta)
		return a, b, true
	}
	return old, new
}

// goTo sets the displayed number of the step.
func (s *Series) goTo(step int) {
	s.step = step
	s.showStep(step)
	s.bars.setSelected(step)
	if int(s.slider.Value) != step {
		s.slider.SetValue(float64(step))
	}
}

func (s *Series) showStep(step int) {
	number := fmt.Sprintf("Step %d of %d:   ", step+1, len(s.sides)-1)
	names := compared.Names(s.sides)
	parts := compared.FromTo(names[step], names[step+1])
	s.label.Set(append([]compared.Part{{Text: number, Tone: paint.Dim}}, parts...))
}

// countChanges compares all steps in the background, for the numbers above the slider.
func (s *Series) countChanges() {
	sides := s.sides
	s.Group.Go(func(ctx context.Context) func() {
		var docs [2]*model.Document
		for i := range len(sides) - 1 {
			opened, err := compared.Open(ctx, [2]compared.Side{sides[i], sides[i+1]}, docs)
			n := int64(notComparable)
			if err == nil {
				if c, err := compare.Documents(ctx, opened[0], opened[1], compare.Options{}, nil); err == nil {
					n = c.Counts().Differences()
				}
			}
			model.CloseDocuments(opened[0])
			docs = [2]*model.Document{opened[1], nil}
			if ctx.Err() != nil {
				break
			}
			s.Group.Do(ctx, func() { s.bars.set(i, n) })
		}
		model.CloseDocuments(docs[0])
		return nil
	})
}

// Title returns the names of the first and the last state.
func (s *Series) Title() string {
	names := compared.Names(s.sides)
	return model.OneLine(names[0], 60) + " … " + model.OneLine(names[len(names)-1], 60)
}

// Hint returns the origin of the first state.
func (s *Series) Hint() string {
	return host.Count(len(s.sides), "state") + " from " + s.sides[0].Hint
}

// Content returns the content of the tab.
func (s *Series) Content() fyne.CanvasObject { return s.content }

// Status returns the status line of the current step.
func (s *Series) Status() (path, facts []tabs.Segment) { return s.current.Status() }

// Focus moves the keyboard focus to the tree of the current step.
func (s *Series) Focus() { s.current.Focus() }

// FilesChanged is called when a file of the current step changed on disk.
func (s *Series) FilesChanged() { s.current.FilesChanged() }

// Current returns the comparison of the current step.
func (s *Series) Current() *Comparison { return s.current }

// Close stops all work and closes the files.
func (s *Series) Close() {
	s.current.Close()
	s.Group.Close()
}

// Numbers of changes of steps without a result.
const (
	pending       = -2 // not compared yet
	notComparable = -1
)

// stepBars shows the number of changes of each step as bars. A click selects a step.
type stepBars struct {
	paint.Surface
	numbers  []int64 // number of changes of each step, pending, or notComparable
	selected int
	show     func(step int)
}

var _ fyne.Tappable = (*stepBars)(nil)

func newStepBars(style *paint.Style, n int, show func(step int)) *stepBars {
	b := &stepBars{numbers: make([]int64, n), show: show}
	for i := range b.numbers {
		b.numbers[i] = pending
	}
	b.InitSurface(b, style, b.paint)
	return b
}

func (b *stepBars) set(i int, n int64) {
	b.numbers[i] = n
	b.Refresh()
}

func (b *stepBars) setSelected(i int) {
	b.selected = i
	b.Refresh()
}

// MinSize returns the height of the bars.
func (b *stepBars) MinSize() fyne.Size { return fyne.NewSize(100, 24) }

func (b *stepBars) paint(c *paint.Canvas) {
	w, h := c.Img.Rect.Dx(), c.Img.Rect.Dy()
	c.Fill(c.Img.Rect, c.Colors.Header)
	maxCount := int64(1)
	for _, n := range b.numbers {
		maxCount = max(maxCount, n)
	}
	for i, n := range b.numbers {
		r := image.Rect(i*w/len(b.numbers)+1, c.Px(2), (i+1)*w/len(b.numbers)-1, h)
		if i == b.selected {
			c.Fill(r, c.Colors.Selection)
		}
		if n > 0 {
			height := max(c.Px(2), int(float64(r.Dy())*math.Log1p(float64(n))/math.Log1p(float64(maxCount))))
			bar := image.Rect(r.Min.X, r.Max.Y-height, r.Max.X, r.Max.Y)
			c.Fill(bar, paint.Mix(c.Colors.Statuses.Changed, c.Colors.Background, 0.5))
		}
		text := map[int64]string{pending: "", notComparable: "!", 0: "="}[n]
		if n > 0 {
			text = host.Number(n)
		}
		if c.Measure(text, paint.Regular) < r.Dx() {
			c.Label(r, text, paint.Regular, c.Colors.Foreground, paint.AlignCenter)
		}
	}
}

func (b *stepBars) Tapped(ev *fyne.PointEvent) {
	if w := b.Size().Width; w > 0 && len(b.numbers) > 0 {
		b.show(min(len(b.numbers)-1, max(0, int(ev.Position.X/w*float32(len(b.numbers))))))
	}
}
