// Package ui is what the window is opened with. It imports nothing of the window, so that a program without one can
// name it too; main opens the window where the program has one.
package ui

import (
	"context"

	"assay/model"
	"assay/model/notes"
	"assay/model/search"
	"assay/model/thumbs"
	"assay/model/userdata"
	"assay/ui/desktop"
)

// Sample is a small file that the program carries inside itself.
type Sample struct {
	Name  string // as a file name
	Title string // for people
	Bytes []byte
}

// Kind is a kind of file that can be opened.
type Kind struct {
	Title      string
	Extensions []string // with their dots
}

// Format is what a file can be opened as.
type Format struct {
	ID      string // for Options.As
	Title   string
	From    string // where it comes from, for people
	Problem string // why it cannot be used, in a sentence; empty if it can
}

// DescriptionFolders are the folders in which descriptions are looked for: the program's own, and those that were
// added.
type DescriptionFolders interface {
	All() []string // the program's own first
	// Watched returns the folders, and those below them and around files, where a description that comes, goes or
	// changes can count for the files. Some need not be there yet.
	Watched(files []string) []string
	Add(folder string) error
	Remove(folder string) error
}

// Options are what the window is opened with.
type Options struct {
	// Open opens the file at a path; OpenSource bytes that are no file of their own.
	Open       func(ctx context.Context, path string) (*model.Document, error)
	OpenSource func(ctx context.Context, src *model.Source) (*model.Document, error)

	// Recognise returns what a file is by its content; empty for one that is not of a known kind. It reads a few bytes.
	Recognise func(src *model.Source) string
	// Searched says which assets a search opens as files.
	Searched search.Formats

	// Pages returns what people read about the formats; nil: there is nothing.
	Pages func() []*model.Page
	// Formats returns what the file at a path can be opened as; nil: there is nothing to choose from. As returns what
	// opens bytes in one of them, by its ID, or as the description in a file says, by its path.
	Formats func(path string) []Format
	// Descriptions are the files that say how others are read.
	Descriptions Kind
	As           func(id string) (func(ctx context.Context, src *model.Source) (*model.Document, error), error)
	// DescriptionFolders are where descriptions are looked for; nil: nowhere.
	DescriptionFolders DescriptionFolders

	Files   []string // to be opened at once: absolute paths
	Compare bool     // show the two files side by side; of three, the first is what the others were made from
	Titles  []string // of what is compared; nil: they are called as their files are
	// Versions are those of what is compared that are versions of a file which is elsewhere, by their paths.
	Versions map[string]*model.FileVersion
	Wait     bool // end when the comparison is closed, and bring nothing of last time back
	// PackerFor returns how the package is written that a file is to be, by its extension; Package is the usual one.
	PackerFor func(path string) (*model.Packer, error)
	Package   string
	// Merge is the file to write of three versions, in the place of one that is there, and Merged is called when it
	// was; empty: none is named, and the user is asked.
	Merge   string
	Merged  func()
	Samples []Sample
	Sample  bool   // open the first sample
	Kinds   []Kind // what can be opened, for the empty window
	Version string
	Icon    []byte // as PNG

	// Later takes what later starts of the program ask for, until the program ends; nil if there are none.
	Later func(take func(desktop.Request))
	// Keys is the file of the user's own keys; empty if there is none.
	Keys string
	// Token is that of the user's act which started the program; see desktop.TakeToken.
	Token string
	// Memory has the recent files and open tabs; nil remembers nothing.
	Memory *desktop.Memory
	// Assignments keeps what a person assigned to models; nil keeps nothing. OpenSource knows it.
	Assignments *userdata.Store
	// Notes keeps notes; nil keeps none.
	Notes *notes.Store
	// Thumbnails keeps pictures of assets; nil keeps none.
	Thumbnails *thumbs.Cache
	// SetDefault makes the program the one that the desktop opens its kinds of files with; nil if that is not possible.
	SetDefault func(ctx context.Context) error
	// Ended is told that the window is closing, once or twice, also at the same time; nil is told nothing. The toolkit
	// should end soon, but now and then it waits for ever: for an event that it put into a queue after it had read that
	// for the last time. The program may then end by itself, when written has returned: what the window still writes is
	// then complete. failure is why the window closes without anybody having closed it; nil if somebody has.
	Ended func(failure error, written func())
}
