package casset

import (
	"fmt"

	"assay/model"
)

// frame is what the layouts of Bundle 3.0 differ in outside of the values. The published document counts two tables'
// sizes without themselves and gives entries 4-byte sizes; all written files count everything and use 8.
type frame struct {
	draft        bool  // as the published document has it
	gap          bool  // four bytes between the version and the offsets, as the document's own offsets imply
	schema, data int64 // where the tables are; 0: nobody knows
	schemaGiven  bool  // they are where the header says
	dataGiven    bool
	head         int64 // where the header ends; 0 if it has no end
}

func (f frame) width() int64 {
	if f.draft {
		return 4
	}
	return 8
}

// own is how much of itself the size of a table leaves out.
func (f frame) own() int64 {
	if f.draft {
		return 8
	}
	return 0
}

// least is the fewest bytes an object's entry takes.
func (f frame) least() int64 {
	if f.draft {
		return 4 + 4 + 16 + 1 + 4 + 1 + 1
	}
	return 8 + 4 + 16 + 1 + 4 + 1 + 1 + 8
}

// objectAt reads the size of the entry at pos and says whether an object may begin there.
func (f frame) objectAt(src *model.Source, s *scanner, pos int64) (size int64, ok bool) {
	if pos < 0 || pos > src.Size()-f.least() {
		return 0, false
	}
	s.pos, s.end, s.err = pos, src.Size(), nil
	v := s.number(f.width())
	far := int64(s.u32())
	size, ok = fit(v, src.Size()-pos)
	return size, ok && s.err == nil && size >= f.least() && f.width()+4+far <= size && far >= 23
}

// chooseFrame tries the frames on the file and takes the one that most speaks for.
func chooseFrame(src *model.Source) (best frame, why string) {
	most := -1
	for _, try := range []frame{{}, {draft: true}, {draft: true, gap: true}} {
		score, reason := try.score(src)
		if score > most {
			most, best, why = score, try, reason
		}
	}
	return best, why
}

func (f *frame) score(src *model.Source) (score int, why string) {
	size := src.Size()
	s := newScanner(src, 0x18, size)
	if f.gap {
		s.skip(4)
	}
	schema, data := s.u64(), s.u64()
	s.skip(16)
	s.text()
	s.skip(16 * int64(s.u32()))
	s.skip(1)
	if s.err == nil {
		f.head = s.pos
	}
	f.schema, f.schemaGiven = fit(schema, size-12)
	f.schemaGiven = f.schemaGiven && f.schema >= 0x38 && f.schema >= f.head
	f.data, f.dataGiven = fit(data, size-12)
	f.dataGiven = f.dataGiven && f.data > f.schema
	if f.schemaGiven {
		score++
		if f.schema == f.head {
			score += 3
		}
	} else {
		f.schema = f.head
	}
	if f.dataGiven {
		score++
	}
	if n, ok := at8(src, f.schema); ok && f.schema > 0 && f.dataGiven {
		if v, ok := fit(n, size); ok && f.schema+f.own()+v == f.data {
			score += 3
			why = fmt.Sprintf("the schema table's size at %#x, %s itself, leads to the data", f.schema, map[bool]string{false: "with", true: "without"}[f.draft])
		}
	}
	if n, ok := at8(src, f.data); ok && f.dataGiven {
		if v, ok := fit(n, size); ok && v > 0 && (f.draft && f.data+8+v == size || !f.draft && f.data+v+8 == size) {
			score += 2
		}
	}
	for pos, i := f.data+12, 0; f.dataGiven && i < 4; i++ {
		n, ok := f.objectAt(src, s, pos)
		if !ok {
			break
		}
		score++
		pos += n
	}
	if why == "" {
		why = "the sizes of the tables contradict each other; the objects' entries speak for it"
	}
	return score, why
}
