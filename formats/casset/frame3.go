package casset

import (
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// frame is what the layouts of Bundle 3.0 differ in outside of the values. The published document counts two tables'
// sizes without themselves and has entries with 4-byte sizes; all written files count everything and use 8.
type frame struct {
	published    bool
	gap          bool  // four bytes between the version and the offsets, as the document's own offsets imply
	schema, data int64 // where the tables are; 0: unknown
	schemaGiven  bool  // they are where the header says
	dataGiven    bool
	head         int64 // where the header ends; 0 if it has no end
}

// form is that of the size of an object's entry.
func (f frame) form() model.Number {
	if f.published {
		return model.U32
	}
	return model.U64
}

// own is how much of itself the size of a table leaves out.
func (f frame) own() int64 {
	if f.published {
		return 8
	}
	return 0
}

// least is the fewest bytes an object's entry takes.
func (f frame) least() int64 {
	if f.published {
		return 4 + 4 + 16 + 1 + 4 + 1 + 1
	}
	return 8 + 4 + 16 + 1 + 4 + 1 + 1 + 8
}

// objectAt reads the size of the entry at pos and reports whether an object may begin there.
func (f *file) objectAt(q *decode.Cursor, pos int64) (size int64, ok bool) {
	fr := f.lay.frame
	if pos < 0 || pos > f.src.Size()-fr.least() {
		return 0, false
	}
	f.at(q, pos)
	size, ok = fit(q.Number("size", fr.form()), q.End()-pos)
	far := int64(q.U32("data_offset"))
	return size, ok && q.Err() == nil && size >= fr.least() && q.Pos()-pos+far <= size && far >= 23
}

// chooseFrame tries the frames on the file and takes the one that most speaks for.
func (f *file) chooseFrame(q *decode.Cursor) (why string) {
	most, best := -1, frame{}
	for _, try := range []frame{{}, {published: true}, {published: true, gap: true}} {
		f.lay.frame = try
		if score, reason := f.scoreFrame(q); score > most {
			most, best, why = score, f.lay.frame, reason
		}
	}
	f.lay.frame = best
	return why
}

// scoreFrame sets where the tables are in the frame and returns how much speaks for it.
func (f *file) scoreFrame(q *decode.Cursor) (score int, why string) {
	fr, size := &f.lay.frame, f.src.Size()
	f.at(q, 0)
	h := f.header3(q)
	if fr.head = h.end; q.Err() != nil {
		fr.head = 0
	}
	fr.schema, fr.schemaGiven = fit(h.schema, size-12)
	fr.schemaGiven = fr.schemaGiven && fr.schema >= 0x38 && fr.schema >= fr.head
	fr.data, fr.dataGiven = fit(h.data, size-12)
	fr.dataGiven = fr.dataGiven && fr.data > fr.schema
	if fr.schemaGiven {
		score++
		if fr.schema == fr.head {
			score += 3
		}
	} else {
		fr.schema = fr.head
	}
	if !fr.dataGiven {
		return score, frameByEntries
	}
	score++
	why = frameByEntries
	if v, ok := f.sizeAt(q, fr.schema); ok && fr.schema > 0 && fr.schema+fr.own()+v == fr.data {
		score += 3
		how := "with"
		if fr.published {
			how = "without"
		}
		why = fmt.Sprintf("the schema table's size at %#x, %s itself, leads to the data", fr.schema, how)
	}
	if v, ok := f.sizeAt(q, fr.data); ok && v > 0 && fr.data+8+v == size {
		score += 2 // the published size leaves itself out, the written one the end of the file
	}
	for pos, i := fr.data+12, 0; i < 4; i++ {
		n, ok := f.objectAt(q, pos)
		if !ok {
			break
		}
		score++
		pos += n
	}
	return score, why
}

const frameByEntries = "the sizes of the tables contradict each other; the objects' entries agree with it"

// sizeAt reads the 64-bit size at an offset.
func (f *file) sizeAt(q *decode.Cursor, pos int64) (int64, bool) {
	f.at(q, pos)
	n, ok := fit(q.U64("size"), f.src.Size())
	return n, ok && q.Err() == nil
}
