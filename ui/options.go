// Package ui holds the options that the window opens with. It does not import the window, so that a program without a
// window can use the type too; the package main opens the window.
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

// Sample is a small file that is embedded in the program.
type Sample struct {
	Name  string // as a file name
	Title string // displayed title
	Bytes []byte
}

// Step is a step for new users.
type Step struct {
	Title, Text string
	Picture     func(light bool) []byte // a PNG of the window in the dark or the light theme
}

// Kind is a file type that can be opened.
type Kind struct {
	Title      string
	Extensions []string // extensions with dots
}

// Format is a format that a file can be opened as.
type Format struct {
	ID      string // argument of Options.As
	Title   string
	From    string // where it comes from, for display
	Problem string // why it cannot be used, in a sentence; empty if it can
}

// DescriptionFolders are the folders that are searched for descriptions: the program's own, and added ones.
type DescriptionFolders interface {
	All() []string // the program's own first
	// Watched returns the folders in which a new, removed or changed description can affect the files: the description
	// folders with their subfolders, and folders around the files. Some may not exist yet.
	Watched(files []string) []string
	Add(folder string) error
	Remove(folder string) error
}

// Describer makes descriptions in the window.
type Describer interface {
	// Skeleton returns the text of a new description of a file with a name that begins with head.
	Skeleton(name string, head []byte) string
	// Draft makes As read a text instead of the description at a path, while it is being edited; nil ends that.
	Draft(path string, text []byte)
	// Fields returns the fields that bytes of a file can be, each as the text of a description with it. name is the
	// name of the field; "" chooses one.
	Fields(text, name string, src *model.Source, span model.Span) ([]Field, error)
	// Complete returns the possible completions in a line of a text, from 0. prefix is the line up to the caret; the
	// completions begin with the word at its end.
	Complete(text string, line int, prefix string) []string
}

// Field is a field that selected bytes can be.
type Field struct {
	Title string // such as "u4 = 560"
	Why   string // the reason for it; may be empty
	Text  string // the description with the field
}

// Options are the settings that the window opens with.
type Options struct {
	// Open opens the file at a path; OpenSource opens bytes that are not a file of their own.
	Open       func(ctx context.Context, path string) (*model.Document, error)
	OpenSource model.Opener

	// Recognize returns the format of a file by its content, or "" if no format recognizes it. It reads a few bytes.
	Recognize func(src *model.Source) string
	// DescribedExtensions returns the extensions of the described formats, with dots. It may be nil.
	DescribedExtensions func() []string
	// SearchFormats decides which assets a search opens as files.
	SearchFormats search.Formats

	// Pages returns the help pages about the formats. It may be nil.
	Pages func() []*model.Page
	// Formats returns the formats for the file at a path; nil: there is no choice. As returns the function that opens
	// bytes in a format: id is the ID of a format or the path of a description.
	Formats func(path string) []Format
	// Descriptions are the files that describe other formats.
	Descriptions Kind
	As           func(id string) (model.Opener, error)
	// Describer makes such files; nil: they cannot be edited.
	Describer Describer
	// DescriptionFolders are the folders that are searched for descriptions. It may be nil.
	DescriptionFolders DescriptionFolders

	Files   []string // to be opened at once: absolute paths
	Compare bool     // show the files side by side; the first of three is the base
	Titles  []string // titles of the compared documents; nil: the names of their files
	// Versions are the compared files that are versions of another file, by path.
	Versions map[string]*model.FileVersion
	Wait     bool // end when the comparison is closed, and do not restore the last session
	// PackerFor returns the packer for the extension of path. Package is the default extension.
	PackerFor func(path string) (*model.Packer, error)
	Package   string
	// Merge is the file to write in a three-way merge, which may replace an existing one; empty: the user is asked.
	// Merged is called after it was written.
	Merge    string
	OnMerged func()
	Samples  []Sample
	Sample   bool   // open the first sample
	Steps    []Step // first steps, for the help
	Kinds    []Kind // file types that the empty window lists
	Version  string
	Icon     []byte // as PNG

	// OnRequests passes the requests of later starts of the program to take, until the program ends. It may be nil.
	OnRequests func(take func(desktop.Request))
	// Keys is the file of the user's shortcuts. It may be empty.
	Keys string
	// Token is the activation token of the user action that started the program; see desktop.TakeToken.
	Token string
	// Memory stores the recent files and open tabs; nil stores nothing.
	Memory *desktop.Memory
	// Assignments stores the materials and images that the user assigned to models; nil stores nothing. OpenSource uses
	// it.
	Assignments *userdata.AssignmentStore
	// Notes stores user notes; nil stores none.
	Notes *notes.Store
	// Thumbnails caches images of assets; nil caches none.
	Thumbnails *thumbs.Cache
	// SetDefault makes the program the default app for its file types; nil if that is not possible.
	SetDefault func(ctx context.Context) error
	// OnEnded is called when the window closes, once or twice, also concurrently. It may be nil. The toolkit should end
	// soon, but it sometimes waits forever for an event that was queued after its last read. The program may then exit
	// after written has returned, when all files are saved. failure is the reason if the user did not close the window,
	// else nil.
	OnEnded func(failure error, written func())
}
