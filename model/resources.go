package model

import (
	"context"
	"io/fs"
)

// OpenDocument opens the file at a path with what opens its bytes, which knows the resource folder; empty for none.
// Closing the document's Source closes the file.
func OpenDocument(ctx context.Context, path, resources string,
	open func(ctx context.Context, src *Source) (*Document, error)) (*Document, error) {
	src, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	src.SetResources(resources)
	d, err := open(ctx, src)
	if err != nil {
		src.Close()
		return nil, err
	}
	return d, nil
}

// Resources returns the folder in which a person wants the files that this one refers to looked for, besides what is
// around it; empty if there is none.
func (s *Source) Resources() string {
	if folder := s.resources.Load(); folder != nil {
		return *folder
	}
	return ""
}

// SetResources sets what Resources returns, for documents that are opened after it.
func (s *Source) SetResources(folder string) { s.resources.Store(&folder) }

// FileVersion is where a version of a file belongs that is not there, such as one that git keeps.
type FileVersion struct {
	Path string // of the file on disk
	// Files returns the files below a folder around it as they were in that version; nil: nobody knows them.
	Files func(root string) fs.FS
}

// SetVersion says that the source is a version of a file, and not the file that it is read from. What it refers to is
// looked for around that file. It is called before the source is read.
func (s *Source) SetVersion(v *FileVersion) { s.version = v }

// Version returns what the source is a version of; nil if it is the file itself.
func (s *Source) Version() *FileVersion { return s.version }

// Home returns the path of the file on disk that the source is, or is a version of, or is inside of; empty if there is
// none.
func (s *Source) Home() string {
	if s.version != nil {
		return s.version.Path
	}
	if s.path != "" {
		return s.path
	}
	return s.home
}

// CloseDocuments closes the sources of documents; those that could not be opened are nil.
func CloseDocuments(opened ...*Document) {
	for _, d := range opened {
		if d != nil {
			d.Source.Close()
		}
	}
}

// AssetType returns the type of the asset that the source is the content of; empty if it is not an asset's.
func (s *Source) AssetType() string { return s.asset }
