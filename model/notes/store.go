package notes

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"assay/model"
	"assay/model/userdata"
)

// Store is the notes of a user, a file for each content. It may be used from any goroutine, and by several programs at
// once: a change reads the stored notes again, under a lock.
type Store struct {
	files *userdata.Records[Sheet]
	path  string
	limit int // notes

	mu    sync.Mutex
	cache map[string]cachedSheet // by the names of the files
}

// cachedSheet is a sheet as a file had it.
type cachedSheet struct {
	entry userdata.Entry
	sheet Sheet
	err   error
}

// StoreIn returns the store in a folder, which need not exist.
func StoreIn(folder string) *Store {
	return &Store{files: userdata.RecordsIn[Sheet](folder, "notes", maxBytes), path: folder, limit: MaxCount,
		cache: make(map[string]cachedSheet)}
}

// Path returns the folder.
func (s *Store) Path() string { return s.path }

func fileName(c Content) string { return fmt.Sprintf("%x-%s", c.Size, c.Digest) }

// Sheets returns all notes, sorted by their bytes in each content. The error is a sentence about unreadable files; the
// others are returned with it.
func (s *Store) Sheets() ([]Sheet, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entries, err := s.files.Entries()
	current := make(map[string]cachedSheet, len(entries))
	var sheets []Sheet
	remaining := s.limit
	for _, e := range entries {
		c, known := s.cache[e.Name]
		if !known || c.entry != e {
			c = cachedSheet{entry: e}
			c.sheet, c.err = s.sheet(e.Name)
		}
		current[e.Name] = c
		err = cmp.Or(err, c.err)
		if n := len(c.sheet.Notes); n > 0 && n <= remaining {
			sheets = append(sheets, c.sheet)
			remaining -= n
		} else if n > remaining {
			err = cmp.Or(err, fmt.Errorf("there are more than %d notes, the limit", s.limit))
		}
	}
	s.cache = current
	slices.SortFunc(sheets, func(a, b Sheet) int {
		return cmp.Or(model.CompareNames(a.Name, b.Name), cmp.Compare(a.Digest, b.Digest))
	})
	return sheets, err
}

// sheet reads the sheet in a file.
func (s *Store) sheet(name string) (Sheet, error) {
	sheet, err := s.files.Read(name)
	if err != nil {
		return Sheet{}, err
	}
	if sheet, ok := sheet.withoutInvalid(); ok && fileName(sheet.Content) == name {
		return sheet, nil
	}
	return Sheet{}, nil
}

// Change is a change of the notes on some content.
type Change struct {
	Content
	Name     string   // of the file or the asset; empty leaves it as it is
	Location string   // its path; empty if unknown
	Remove   []string // the IDs of notes
	Put      []Note   // they replace notes with their IDs
}

// Apply makes changes, and returns the changes that undo them.
func (s *Store) Apply(changes ...Change) (undo []Change, err error) {
	sheets, _ := s.Sheets()
	count := 0
	for _, sheet := range sheets {
		count += len(sheet.Notes)
	}
	writeStarted := false // some files may be changed already
	err = s.files.Change(func() error {
		sheets, stored := make(map[string]Sheet), s.sheet
		if len(changes) > 1 {
			var err error
			if stored, err = s.cachedSheets(); err != nil {
				return err
			}
		}
		for _, c := range changes {
			reverse, added, err := s.apply(c, s.limit-count, sheets, stored)
			if err != nil {
				return err
			}
			count += added
			undo = append(undo, reverse)
		}
		writeStarted = true
		return s.write(sheets)
	})
	slices.Reverse(undo)
	switch {
	case err != nil && writeStarted: // all of it, or nothing
		_, _ = s.Apply(undo...)
		return nil, err
	case err != nil:
		return nil, err
	}
	return undo, nil
}

// cachedSheets returns a func that returns the sheet in a file, and reads it again only if it changed since Sheets.
func (s *Store) cachedSheets() (func(name string) (Sheet, error), error) {
	entries, err := s.files.Entries()
	if err != nil {
		return nil, err
	}
	byName := make(map[string]userdata.Entry, len(entries))
	for _, e := range entries {
		byName[e.Name] = e
	}
	s.mu.Lock()
	read := s.cache
	s.mu.Unlock()
	return func(name string) (Sheet, error) {
		e, ok := byName[name]
		c, known := read[name]
		switch {
		case known && ok && c.entry == e && c.err == nil:
			c.sheet.Locations = slices.Clone(c.sheet.Locations) // apply changes them
			return c.sheet, nil
		case !ok && !known:
			return Sheet{}, nil // most contents that are imported have no file
		}
		return s.sheet(name)
	}, nil
}

// write writes changed sheets by the names of their files, and removes the files of empty sheets.
func (s *Store) write(sheets map[string]Sheet) error {
	for name, sheet := range sheets {
		if len(sheet.Notes) > 0 {
			continue
		}
		if err := s.files.Remove(name); err != nil {
			return err
		}
		delete(sheets, name)
	}
	return s.files.WriteAll(sheets)
}

// apply makes a change in sheets, by the names of their files, into which it reads missing ones. It returns the change
// that undoes it and the number of added notes. The files are locked, and stored reads one.
func (s *Store) apply(c Change, maxAdded int, sheets map[string]Sheet, stored func(name string) (Sheet, error)) (
	undo Change, added int, err error) {
	name := fileName(c.Content)
	sheet, read := sheets[name]
	if !read {
		if sheet, err = stored(name); err != nil {
			return undo, 0, err
		}
	}
	before := make(map[string]Note, len(sheet.Notes))
	for _, n := range sheet.Notes {
		before[n.ID] = n
	}
	undo = Change{Content: c.Content, Name: sheet.Name}
	if k := len(sheet.Locations); k > 0 {
		undo.Location = sheet.Locations[k-1]
	}
	sheet.Content, sheet.Name = c.Content, cmp.Or(c.Name, sheet.Name)
	if c.Location != "" {
		isSame := func(location string) bool { return location == c.Location }
		sheet.Locations = append(slices.DeleteFunc(sheet.Locations, isSame), c.Location)
		sheet.Locations = sheet.Locations[max(0, len(sheet.Locations)-maxLocations):]
	}
	after := maps.Clone(before)
	for _, id := range c.Remove {
		delete(after, id)
	}
	for _, n := range c.Put {
		n.Text = strings.TrimSpace(n.Text)
		if !n.valid(c.Size) {
			return undo, 0, errors.New("the note is too long, or its bytes are not in this file")
		}
		after[n.ID] = n
	}
	if added = len(after) - len(before); added > maxAdded {
		return undo, 0, fmt.Errorf("limit of %d notes reached; delete some first", s.limit)
	}
	for id, n := range before {
		if now, ok := after[id]; !ok || now != n {
			undo.Put = append(undo.Put, n)
		}
	}
	for id := range after {
		if _, ok := before[id]; !ok {
			undo.Remove = append(undo.Remove, id)
		}
	}
	sheet.Notes = slices.SortedFunc(maps.Values(after), func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Size, a.Size), cmp.Compare(a.ID, b.ID))
	})
	sheets[name] = sheet
	return undo, added, nil
}

// exportFile is notes as they are exported and imported.
type exportFile struct {
	Contents []Sheet `json:"contents"`
}

// Export writes notes as JSON: {contents: [{size, digest, name, notes: [{id, color, text, node?, range?, offset, size,
// within?, bytes, from?, made?}]}]}. Offsets are in the content, and digest and bytes are digests of it and of the
// bytes of the note. Paths of this machine are not written.
func Export(w io.Writer, sheets []Sheet) error {
	f := exportFile{Contents: []Sheet{}}
	for _, s := range sheets {
		s.Locations = nil
		f.Contents = append(f.Contents, s)
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(f)
}

// Parse reads notes that Export wrote, and returns the changes that store them: existing ones with the same ID are
// replaced. skipped is the number of invalid contents and notes.
func Parse(r io.Reader) (changes []Change, skipped int, err error) {
	b, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err == nil && len(b) > maxBytes {
		err = fmt.Errorf("the notes file is larger than %d bytes", maxBytes)
	}
	var f exportFile
	if err == nil && json.Unmarshal(b, &f) != nil {
		err = errors.New("not an exported notes file")
	}
	if err != nil {
		return nil, 0, err
	}
	for _, s := range f.Contents {
		n := max(1, len(s.Notes))
		if s, ok := s.withoutInvalid(); ok {
			n -= len(s.Notes)
			changes = append(changes, Change{Content: s.Content, Name: s.Name, Put: s.Notes})
		}
		skipped += n
	}
	return changes, skipped, nil
}
