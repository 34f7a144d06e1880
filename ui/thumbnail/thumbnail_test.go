package thumbnail

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/thumbs"
	"assay/ui/work"
)

// pictures returns a document of n pictures of a side in pixels. It calls open when one is read.
func pictures(t testing.TB, n, side int, open func(ctx context.Context, i int)) *model.Document {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range img.Pix {
		img.Pix[i] = uint8(i * i >> 7)
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	var all model.PayloadList
	for i := range n {
		all = append(all, &model.Payload{MediaType: "image/png", Stored: model.Span{Offset: int64(i), Size: 1},
			Open: func(ctx context.Context) (io.ReadCloser, error) {
				open(ctx, i)
				return io.NopCloser(bytes.NewReader(b.Bytes())), ctx.Err()
			}})
	}
	d := model.NewDocument(model.NewSource("t", bytes.NewReader(make([]byte, n)), int64(n)), "test", "1", &model.Node{})
	d.Payloads = all
	return d
}

// inView lists n assets.
func inView(from, n int) (all []int) {
	for i := range n {
		all = append(all, from+i)
	}
	return all
}

// loader is a Loader whose pictures arrive when the test calls take.
type loader struct {
	*Loader
	group *work.Group
	done  chan func()
}

func newLoader(t testing.TB, o Options) *loader {
	l := &loader{group: work.New(t.Context()), done: make(chan func(), 1000)}
	l.Loader = New(l.group, o)
	l.onUI = func(_ context.Context, do func()) { l.done <- do }
	return l
}

// finish waits until all requested pictures are drawn.
func (l *loader) finish() {
	l.group.Wait()
	l.take()
}

// take passes on the drawn pictures.
func (l *loader) take() {
	for {
		select {
		case do := <-l.done:
			do()
		default:
			return
		}
	}
}

func TestVisibleThumbnailsAreDrawnOnce(t *testing.T) {
	var opened atomic.Int32
	d := pictures(t, 100, 200, func(context.Context, int) { opened.Add(1) })
	l := newLoader(t, Options{Cache: thumbs.New(t.TempDir(), 1<<20)})
	loads := 0
	l.OnLoad = func() { loads++ }
	l.Request(d, 1, inView(10, 5))
	l.finish()
	assert.Equal(t, 5, loads)
	assert.Nil(t, l.Picture(9))
	require.NotNil(t, l.Picture(10))
	assert.Equal(t, Side, l.Picture(10).Bounds().Dx())
	before := opened.Load()
	l.Request(d, 1, inView(10, 5))
	l.finish()
	assert.Equal(t, before, opened.Load())
	l.Request(d, 2, inView(10, 5))
	l.finish()
	assert.Equal(t, 2*Side, l.Picture(10).Bounds().Dx(), "a screen of more pixels has them drawn anew")
}

func TestPassedThumbnailsAreNotDrawn(t *testing.T) {
	begun := make(chan int, 1000)
	d := pictures(t, 1000, 8, func(ctx context.Context, i int) {
		if begun <- i; i < 100 {
			<-ctx.Done()
		}
	})
	l := newLoader(t, Options{})
	l.Request(d, 1, inView(0, 100))
	for range maxDrawing {
		<-begun
	}
	l.Request(d, 1, inView(900, 10))
	l.Request(d, 1, inView(900, 10))
	l.finish()
	close(begun)
	for i := range begun {
		assert.GreaterOrEqual(t, i, 900)
	}
	assert.Nil(t, l.Picture(0))
	l.Request(d, 1, inView(900, 10))
	l.finish()
	assert.NotNil(t, l.Picture(905))
}

func TestMemoryIsBounded(t *testing.T) {
	d := pictures(t, 1, 1, func(context.Context, int) {})
	l := New(work.Inline(t.Context()), Options{})
	const side = 512
	for i := range 4 * maxBytes / (4 * side * side) {
		l.Request(d, 1, []int{i})
		l.store(job{l.current, i}, image.NewNRGBA(image.Rect(0, 0, side, side)))
		assert.LessOrEqual(t, l.totalBytes, maxBytes)
		assert.NotNil(t, l.Picture(i), "what is in view is kept")
	}
	assert.NotEmpty(t, l.entries)
}

// BenchmarkFirstRow draws the seven pictures that are in view first, each from a PNG of 256 × 256 pixels.
func BenchmarkFirstRow(b *testing.B) {
	d := pictures(b, 10_000, 256, func(context.Context, int) {})
	for b.Loop() {
		l := newLoader(b, Options{})
		l.Request(d, 1, inView(0, 7))
		l.finish()
		if l.Picture(6) == nil {
			b.Fatal("the row is not drawn")
		}
	}
}

// BenchmarkScroll scrolls through 10,000 pictures by rows of seven, six of them in view. It measures how long a frame
// is delayed.
func BenchmarkScroll(b *testing.B) {
	d := pictures(b, 10_000, 256, func(context.Context, int) {})
	l := newLoader(b, Options{})
	from := 0
	for b.Loop() {
		l.take()
		l.Request(d, 1, inView(from, 42))
		if from += 7; from+42 > 10_000 {
			from = 0
		}
	}
	b.StopTimer()
	l.group.Close()
	l.group.Wait()
}
