package work_test

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/work"
)

func TestResultsAreOnTheUIThread(t *testing.T) {
	test.NewTempApp(t)
	g := work.New(context.Background())
	got := make(chan int, 1)
	g.Go(func(context.Context) func() { return func() { got <- 7 } })
	assert.Equal(t, 7, <-got)
	g.Wait()
}

func TestClosedGroupDropsResults(t *testing.T) {
	test.NewTempApp(t)
	g := work.New(context.Background())
	started, shown := make(chan bool), false
	g.Go(func(ctx context.Context) func() {
		close(started)
		<-ctx.Done()
		return func() { shown = true }
	})
	<-started
	g.Close()
	g.Wait()
	assert.False(t, shown)
	g.Go(func(context.Context) func() { t.Error("a closed group starts nothing"); return nil })
}

func TestDroppedResourcesAreClosed(t *testing.T) {
	test.NewTempApp(t)
	for name, end := range map[string]func(g *work.Group, l *work.Lane){
		"the group is closed": func(g *work.Group, _ *work.Lane) { g.Close() },
		"the lane is stopped": func(_ *work.Group, l *work.Lane) { l.Stop() },
		"a later job begins": func(_ *work.Group, l *work.Lane) {
			l.Go(func(context.Context) func() { return nil })
		},
	} {
		for _, g := range []*work.Group{work.New(t.Context()), work.Inline(t.Context())} {
			l := g.Lane()
			opened, ended, shown, closed := make(chan bool), make(chan bool, 1), false, 0
			if g.IsInline() {
				close(opened)
			}
			l.Open(func(context.Context) (done, dropped func()) {
				if g.IsInline() {
					end(g, l)
				} else {
					close(opened)
					<-ended
				}
				return func() { shown = true }, func() { closed++ }
			})
			<-opened
			if !g.IsInline() {
				end(g, l)
			}
			ended <- true
			g.Wait()
			assert.False(t, shown, name)
			assert.Equal(t, 1, closed, name)
		}
	}
	g, closed := work.New(t.Context()), make(chan bool, 1)
	g.Open(func(context.Context) (done, dropped func()) { return nil, func() { closed <- true } })
	assert.True(t, <-closed, "there is no result to show")
	g.Open(func(context.Context) (done, dropped func()) {
		return func() { closed <- false }, func() { closed <- true }
	})
	assert.False(t, <-closed, "it is shown")
}

func TestWaitForWritesWaitsAfterClose(t *testing.T) {
	test.NewTempApp(t)
	g := work.New(context.Background())
	started, told, written := make(chan bool), make(chan bool), false
	g.Subgroup().Write(func(ctx context.Context) func() {
		close(started)
		<-ctx.Done()
		close(told)
		written = true
		return func() { t.Error("a result that comes too late is shown") }
	})
	<-started
	g.Close()
	<-told
	g.WaitForWrites()
	assert.True(t, written)
	g.Write(func(context.Context) func() { t.Error("a closed group starts nothing"); return nil })
	g.WaitForWrites()
}

func TestLaneKeepsTheLatest(t *testing.T) {
	test.NewTempApp(t)
	g := work.New(context.Background())
	lane := g.Lane()
	first := make(chan bool)
	lane.Go(func(ctx context.Context) func() {
		close(first)
		<-ctx.Done()
		return func() { t.Error("an outdated result is shown") }
	})
	<-first
	got := make(chan string, 1)
	lane.Go(func(context.Context) func() { return func() { got <- "second" } })
	assert.Equal(t, "second", <-got)
	g.Wait()
}

func TestInlineRunsAtOnce(t *testing.T) {
	g := work.Inline(context.Background())
	order := ""
	g.Go(func(ctx context.Context) func() {
		order += "job "
		g.Progress(ctx, func(done, total int64) { order += "progress " })(1, 2)
		return func() { order += "done" }
	})
	assert.Equal(t, "job progress done", order)
	u := g.Subgroup()
	g.Close()
	u.Go(func(context.Context) func() { t.Error("a group under a closed one starts nothing"); return nil })
}

func TestLookupReadsEachKeyOnce(t *testing.T) {
	test.NewTempApp(t)
	found, read := 0, 0
	l := work.NewLookup[int, string](work.Inline(context.Background()), func() { found++ })
	look := func(key int) string {
		return l.Of(key, func() string {
			read++
			return strings.Repeat("x", key)
		})
	}
	assert.Equal(t, []string{"xxx", "xxx", "x"}, []string{look(3), look(3), look(1)})
	assert.Equal(t, 2, read)
	l.Forget()
	assert.Equal(t, "xxx", look(3))
	assert.Equal(t, []int{3, 3}, []int{read, found}, "the keys stood for something else")
}
