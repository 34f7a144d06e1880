package casset

import "assay/formats/decode"

// infer tells what the declared type does not: a struct (fields), a reference or an enum. The bytes are those of the
// field.
func (g *fields1) infer(v *reader, c *decode.Cursor, t Type) Type {
	switch {
	case t.kind == kF64 && c.Left() == 4: // narrowed by every 1.x writer
		return Type{kind: kF32}
	case t.kind != kBad:
		return t
	}
	t.kind = g.guess(c)
	c.Type(t.String())
	return t
}

func (g *fields1) guess(c *decode.Cursor) kind {
	if c.Left() == 8 {
		if null(c.Peek(8)) {
			return kNullOrZero
		}
		return kEnum
	}
	if g.marked() && g.atField(c) {
		return kStruct
	}
	if _, ok := g.references(c, c.Pos(), c.End(), 1); ok {
		return kObject
	}
	if !g.marked() && g.fieldsIn(c, c.Pos(), c.End()) > 0 {
		return kStruct
	}
	return kBad
}

// fieldsIn counts the fields that fill a part of the file; 0 if they do not.
func (g *fields1) fieldsIn(c *decode.Cursor, from, end int64) (n int64) {
	for q := ahead(c, from, end); q.Left() > 0; n++ {
		if !g.skipField(q) {
			return 0
		}
	}
	return n
}

// references tries n references that must fill a part of the file, with the package's UUID in them or without,
// whichever fits; where both do, as the file's revision has it.
func (g *fields1) references(c *decode.Cursor, from, end, n int64) (uuid, ok bool) {
	best := -1
	for _, with := range []bool{g.lay.packageUUIDs, !g.lay.packageUUIDs} {
		q := ahead(c, from, end)
		score := 1
		for i := int64(0); i < n && q.Err() == nil; i++ {
			if name := g.object(q, with); name != "" && name[0] != '/' {
				score = 0
			}
		}
		if q.Err() == nil && q.Left() == 0 && score > best {
			best, uuid, ok = score, with, true
		}
	}
	return uuid, ok
}

// guessElements tells what the elements' type does not.
func (g *fields1) guessElements(c *decode.Cursor, a array1) kind {
	if n := g.fieldsIn(c, a.from, a.to); n > 0 && n%a.count == 0 {
		return kStruct
	}
	q := ahead(c, a.from, a.to)
	if a.to-a.from == 8*a.count {
		for q.Left() > 0 && q.Err() == nil {
			if q.U64("value") != 0 {
				return kEnum
			}
		}
		return kNullOrZero
	}
	if _, ok := g.references(c, a.from, a.to, a.count); ok {
		return kObject
	}
	if g.marked() && g.atField(ahead(c, a.from, a.to)) {
		return kStruct
	}
	return kBad
}
