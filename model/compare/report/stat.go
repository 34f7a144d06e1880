package report

import (
	"unicode/utf8"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
)

// subject is what rows of a report are about, with their numbers.
type subject struct {
	changes.Subject
	counts compare.Counts
	more   bool // more changed than the place
}

// status is that of the subject: a thing of which only the place changed moved, as the headline has it.
func (s *subject) status() compare.Status {
	if s.Status == compare.Changed && !s.more {
		return compare.Moved
	}
	return s.Status
}

// subjects returns the first things that changed and the parts of the file in which other things did, in the order of
// the report, with their numbers of rows, and how many more there are. An asset and its entry in an index, which has
// its key, are one thing.
func (w *writer) subjects() (list []*subject, more int64, err error) {
	known := make(map[string]*subject) // by key; nil: it is one of those that are not listed
	parts := make(map[string]*subject) // by name
	add := func(of changes.Subject) *subject {
		if int64(len(list)) >= w.o.most() {
			more++
			return nil
		}
		s := &subject{Subject: of}
		list = append(list, s)
		return s
	}
	err = w.c.Changes(func(p *compare.Pair) error {
		of := changes.SubjectOf(p)
		in, id := parts, of.Name
		if of.Key != "" {
			in, id = known, of.Key
		}
		s, ok := in[id]
		if !ok {
			s = add(of)
			in[id] = s
		}
		if s != nil {
			if of.IsThing {
				s.Subject = of
			}
			p.CountIn(&s.counts)
			s.more = s.more || !of.IsPlace
		}
		return w.ctx.Err()
	})
	return joinParts(list), more, err
}

// joinParts makes one of what is in the same part of the file and turned out to be in no thing.
func joinParts(list []*subject) (out []*subject) {
	parts := make(map[string]*subject)
	for _, s := range list {
		if !s.IsThing {
			if first := parts[s.Name]; first != nil {
				first.counts.Add(s.counts)
				first.more = first.more || s.more
				continue
			}
			parts[s.Name] = s
		}
		out = append(out, s)
	}
	return out
}

// summary prints a line for each thing that changed, with its numbers of rows.
func (w *writer) summary() error {
	list, more, err := w.subjects()
	wide := 0
	for _, s := range list {
		wide = max(wide, utf8.RuneCountInString(s.Name))
	}
	for _, s := range list {
		w.put("%s %-*s | %s\n", s.status().Sign(), wide, s.Name, s.counts)
	}
	if more > 0 {
		w.put("# %s not listed (use --all)\n", model.Count(more, "more item"))
	}
	return err
}

// summaryTable writes the same as a table in Markdown.
func (w *writer) summaryTable() error {
	list, more, err := w.subjects()
	w.put("| | item | rows |\n|---|---|---|\n")
	for _, s := range list {
		w.put("| %s | %s | %s |\n", s.status(), cell(s.Name), s.counts)
	}
	if more > 0 {
		w.put("\nand %s: --all lists them.\n", model.Count(more, "more thing"))
	}
	return err
}
