package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"assay/formats/gpb/properties"
	"assay/model"
)

// alias returns the value of an alias in game.config.
func (s *store) alias(root fs.FS, name string) (string, bool) {
	if s.aliases == nil {
		s.aliases = make(map[string]string)
		for _, top := range s.allRoots() {
			if there := s.actualPath(root, path.Join(top, config), anyCase); there != "" && len(s.aliases) == 0 {
				s.noAliases = s.readAliases(root, there)
			}
		}
	}
	to, ok := s.aliases[name]
	return to, ok
}

// readAliases reads the aliases of a game.config.
func (s *store) readAliases(root fs.FS, name string) error {
	file, err := s.read(root, name)
	if err != nil {
		return err
	}
	for _, n := range file.Spaces {
		if n.Name == "aliases" {
			for _, a := range n.Properties {
				s.aliases[a.Name] = a.Value
			}
		}
	}
	return nil
}

// Text reads a text of the project by its path from the root.
func (s *store) Text(full string) (file *properties.Namespace, err error) {
	if opening := s.look(func(root fs.FS) { file, err = s.read(root, full) }); opening != nil {
		return nil, opening
	}
	return file, err
}

// The bounds of reading: of texts, which have properties.MaxSize bytes together, and of a file.
const (
	textMost = 4096
	fileMost = 64 << 20
)

var errMany = errors.New("the project has too many text files; the rest is not read")

// text is a text that was read, or the error.
type text struct {
	file *properties.Namespace
	err  error
}

// read reads a text, once.
func (s *store) read(root fs.FS, full string) (*properties.Namespace, error) {
	t, ok := s.texts[full]
	if !ok {
		if len(s.texts) >= textMost {
			return nil, errMany
		}
		t.file, t.err = s.parse(root, full)
		s.texts[full] = t
	}
	return t.file, t.err
}

// parse reads a text that was not read before.
func (s *store) parse(root fs.FS, full string) (*properties.Namespace, error) {
	src, err := load(root, full, properties.MaxSize)
	if err != nil {
		return nil, err
	}
	if src.Size() > properties.MaxSize-s.size {
		return nil, errMany
	}
	s.size += src.Size()
	return properties.Read(context.Background(), src) // at most MaxSize bytes in memory
}

// load reads a file of at most so many bytes into memory.
func load(root fs.FS, full string, most int64) (*model.Source, error) {
	b, err := loadBytes(root, full, most)
	if err != nil {
		return nil, err
	}
	return model.NewSource(path.Base(full), b, b.Size()), nil
}

// loadBytes is load for the bytes alone.
func loadBytes(root fs.FS, full string, most int64) (*bytes.Reader, error) {
	f, err := root.Open(full)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened", Printable(full))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", Printable(full))
	}
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read", Printable(full))
	}
	if int64(len(b)) > most {
		return nil, fmt.Errorf("%s is too large (limit: %d bytes)", Printable(full), most)
	}
	return bytes.NewReader(b), nil
}

// ReadFile reads a file of the project into memory.
func (s *store) ReadFile(full string) (src *model.Source, err error) {
	_ = s.withRoot(func(root fs.FS) { src, err = load(root, full, fileMost) }) // which fails without the root
	return src, err
}

// Reference splits a reference to a namespace in a file: file#id.
func Reference(value string) (file, id string) {
	file, id, _ = strings.Cut(value, "#")
	return strings.TrimSpace(file), strings.TrimSpace(id)
}

// Printable returns a name of a file as one line of a sentence.
func Printable(name string) string { return model.OneLine(strings.ToValidUTF8(name, "\uFFFD"), 200) }
