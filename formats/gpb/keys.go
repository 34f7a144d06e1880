package gpb

import (
	"fmt"
	"math"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// seconds is a key time as a number of seconds.
func seconds(time any) (float32, bool) {
	f, ok := model.Float(time)
	return float32(f / 1000), ok
}

// timesRead is how many key times are looked at in one go.
const timesRead = 1024

var timesBuffers = sync.Pool{New: func() any { return new([timesRead * 4]byte) }}

// judgeOrder remarks on the first key whose time is not after the one before.
func judgeOrder(c *decode.Cursor, times model.Numbers) {
	if key := outOfOrder(times); key >= 0 {
		c.Note("the time of key %d is not after that of the one before: the key does not play", key)
	}
}

// outOfOrder returns the first key whose time is not after the one before; -1 if there is none. Every file that is
// checked comes through here with each of its channels.
func outOfOrder(times model.Numbers) int64 {
	buffer := timesBuffers.Get().(*[timesRead * 4]byte)
	defer timesBuffers.Put(buffer)
	last := math.Inf(-1)
	for first := int64(0); first < times.Count; first += timesRead {
		n := min(times.Count-first, timesRead)
		b := buffer[:n*4]
		if read, _ := times.Source.ReadAt(b, times.Offset+first*4); read < len(b) {
			return -1
		}
		for i := range n {
			bits := times.Order.Uint32(b[4*i:])
			t := float64(bits)
			if times.Form == model.F32 {
				t = float64(math.Float32frombits(bits))
			}
			if !(t > last && t <= math.MaxFloat32) {
				return first + i
			}
			last = t
		}
	}
	return -1
}

// each is the number of values that a key should have; 0 if the attribute is not known.
func (c *Channel) each() int64 { return int64(len(c.moves())) }

// keyAt returns the time of the key that a byte of the file is of, by its time or by one of its values.
func (c *Channel) keyAt(offset int64) (float32, bool) {
	key := int64(-1)
	for _, a := range []struct {
		model.Numbers
		each int64
	}{{c.Times, 1}, {c.Values, c.each()}} {
		if at := offset - a.Offset; a.Source != nil && a.each > 0 && at >= 0 && at < a.Count*a.Form.Size() {
			key = at / a.Form.Size() / a.each
		}
	}
	if key < 0 || key >= c.Times.Count {
		return 0, false
	}
	v, err := c.Times.Slice(key, 1)
	if err != nil || len(v) == 0 {
		return 0, false
	}
	return seconds(v[0])
}

// keyTable is the keys of a channel as rows: the time in seconds, then the values.
func (c *Channel) keyTable() *model.Table {
	t := &model.Table{Rows: c.Times.Count, Columns: []model.Column{{Name: "time (s)", Type: "float", Numeric: true}}}
	each := c.each()
	for _, part := range c.moves() {
		t.Columns = append(t.Columns, model.Column{Name: part.String(), Type: "float", Numeric: true})
	}
	if each == 0 && c.Times.Count > 0 { // what it moves is not known
		each = min(c.Values.Count/c.Times.Count, 16)
		for i := range each {
			t.Columns = append(t.Columns, model.Column{Name: fmt.Sprintf("value %d", i), Type: "float", Numeric: true})
		}
	}
	t.Cell = func(row int64, column int) any {
		from, at := c.Values, row*each+int64(column)-1
		if column == 0 {
			from, at = c.Times, row
		}
		if at >= from.Count {
			return nil
		}
		v, err := from.Slice(at, 1)
		if err != nil || len(v) == 0 {
			return nil
		}
		if column > 0 {
			return v[0]
		}
		s, _ := seconds(v[0])
		return s
	}
	t.Offset = func(row int64) int64 { return c.Times.Offset + row*c.Times.Form.Size() }
	return t
}

// keys returns the keys of the channel that a node is or is a part of.
func (r *reader) keys() func(n *model.Node) (*model.Node, *model.Table) {
	channels := sync.OnceValue(r.channels)
	return func(n *model.Node) (*model.Node, *model.Table) {
		for ; n != nil; n = n.Parent {
			if c := channels()[place{n.Offset, n.Type}]; c != nil && c.Times.Source != nil {
				return n, c.keyTable()
			}
		}
		return nil, nil
	}
}

// channels lists the channels of all animations by their places.
func (r *reader) channels() map[place]*Channel {
	all := make(map[place]*Channel)
	for _, a := range r.file.animations() {
		for _, c := range a.Channels {
			all[place{c.span.Offset, "AnimationChannel"}] = c
		}
	}
	return all
}
