package project

import (
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

// alias returns what game.config says an alias means.
func (p *Project) alias(root fs.FS, name string) (string, bool) {
	if p.aliases == nil {
		p.aliases = make(map[string]string)
		for _, top := range p.allRoots() {
			if there := p.actualPath(root, path.Join(top, config)); there != "" && len(p.aliases) == 0 {
				p.readAliases(root, there)
			}
		}
	}
	to, ok := p.aliases[name]
	return to, ok
}

func (p *Project) readAliases(root fs.FS, name string) {
	file, err := p.read(root, name)
	if err != nil {
		return
	}
	for _, n := range file.Spaces {
		if n.Name == "aliases" {
			for _, a := range n.Properties {
				p.aliases[a.Name] = a.Value
			}
		}
	}
}

// Text reads a text of the project by its path from the root.
func (p *Project) Text(full string) (*properties.Namespace, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var file *properties.Namespace
	err := p.withRoot(func(root fs.FS) (err error) {
		file, err = p.read(root, full)
		return err
	})
	return file, err
}

var errMany = errors.New("the project has more texts than are read")

func (p *Project) read(root fs.FS, full string) (*properties.Namespace, error) {
	if file, ok := p.texts[full]; ok {
		if file == nil {
			return nil, fmt.Errorf("%s cannot be read", Printable(full))
		}
		return file, nil
	}
	if len(p.texts) >= textMost {
		return nil, errMany
	}
	p.texts[full] = nil
	src, err := load(root, full, properties.MaxSize)
	if err != nil {
		return nil, err
	}
	if src.Size() > properties.MaxSize-p.size {
		return nil, errMany
	}
	p.size += src.Size()
	file, err := properties.Read(context.Background(), src)
	if err != nil {
		return nil, err
	}
	p.texts[full] = file
	return file, nil
}

// load reads a file of at most so many bytes into memory.
func load(root fs.FS, full string, most int64) (*model.Source, error) {
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
		return nil, fmt.Errorf("%s has more than the %d bytes that are read of such a file", Printable(full), most)
	}
	return model.NewSource(path.Base(full), strings.NewReader(string(b)), int64(len(b))), nil
}

// ReadFile reads a file of the project into memory.
func (p *Project) ReadFile(full string) (src *model.Source, err error) {
	err = p.withRoot(func(root fs.FS) error {
		src, err = load(root, full, fileMost)
		return err
	})
	return src, err
}

// Reference splits a reference to a namespace in a file: file#id.
func Reference(value string) (file, id string) {
	file, id, _ = strings.Cut(value, "#")
	return strings.TrimSpace(file), strings.TrimSpace(id)
}

// Printable returns a name of a file as one line of a sentence.
func Printable(name string) string { return model.OneLine(strings.ToValidUTF8(name, "\uFFFD"), 200) }
