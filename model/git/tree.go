package git

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	maxTreeFiles    = 200_000     // files of a commit that are listed: a project has fewer
	maxTreeFileSize = 256 << 20   // bytes of a file, which is held in memory
	treeTimeout     = time.Minute // for git to list a commit or to read a file: a blocked read cannot be canceled
)

// Tree returns the files that a commit has below a folder. They are read when they are opened.
func Tree(folder, commit string) fs.FS { return &tree{folder: folder, commit: commit} }

// tree is the files of a commit, without links, submodules and files of more than maxTreeFileSize bytes. Files whose
// content git-lfs keeps elsewhere are listed but cannot be opened.
type tree struct {
	folder, commit string
	once           sync.Once
	files          map[string]*treeFile     // by path
	folders        map[string][]fs.DirEntry // their files and folders, by path
}

type treeFile struct {
	name, hash string // an empty hash means a folder
	size       int64
}

var (
	_ fs.FileInfo = (*treeFile)(nil)
	_ fs.DirEntry = (*treeFile)(nil)
)

func (f *treeFile) Name() string               { return f.name }
func (f *treeFile) Size() int64                { return f.size }
func (f *treeFile) ModTime() time.Time         { return time.Time{} }
func (f *treeFile) IsDir() bool                { return f.hash == "" }
func (f *treeFile) Sys() any                   { return nil }
func (f *treeFile) Info() (fs.FileInfo, error) { return f, nil }
func (f *treeFile) Type() fs.FileMode          { return f.Mode().Type() }

func (f *treeFile) Mode() fs.FileMode {
	if f.IsDir() {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// list requests the files from git.
func (t *tree) list() {
	t.files, t.folders = make(map[string]*treeFile), make(map[string][]fs.DirEntry)
	ctx, done := context.WithTimeout(context.Background(), treeTimeout)
	defer done()
	var out bytes.Buffer
	if run(ctx, t.folder, &out, "ls-tree", "-r", "-z", "-l", t.commit) != nil {
		return
	}
	for line := range strings.SplitSeq(out.String(), "\x00") {
		head, name, _ := strings.Cut(line, "\t")
		f := strings.Fields(head)
		if len(f) < 4 || f[1] != "blob" || f[0] == "120000" || len(t.files) >= maxTreeFiles {
			continue
		}
		size, err := strconv.ParseInt(f[3], 10, 64)
		if err == nil && size <= maxTreeFileSize {
			t.add(name, &treeFile{path.Base(name), f[2], size})
		}
	}
}

// add adds a file and the folders that it is in.
func (t *tree) add(name string, f *treeFile) {
	for t.files[name] == nil {
		t.files[name] = f
		folder := path.Dir(name)
		t.folders[folder] = append(t.folders[folder], f)
		if folder == "." {
			t.files[folder] = &treeFile{name: folder}
			return
		}
		name, f = folder, &treeFile{name: path.Base(folder)}
	}
}

// Open implements fs.FS.
func (t *tree) Open(name string) (fs.File, error) {
	t.once.Do(t.list)
	f := t.files[name]
	if f == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if f.IsDir() {
		return &openFolder{openFile{f, bytes.NewReader(nil)}, t.folders[name]}, nil
	}
	ctx, done := context.WithTimeout(context.Background(), treeTimeout)
	defer done()
	var out bytes.Buffer
	if err := run(ctx, t.folder, &out, "cat-file", "blob", f.hash); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if bytes.HasPrefix(out.Bytes(), []byte("version https://git-lfs")) { // the content is kept elsewhere
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &openFile{f, bytes.NewReader(out.Bytes())}, nil
}

// Stat implements fs.StatFS.
func (t *tree) Stat(name string) (fs.FileInfo, error) {
	t.once.Do(t.list)
	if f := t.files[name]; f != nil {
		return f, nil
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

// openFile is a file of a commit that was read.
type openFile struct {
	info *treeFile
	*bytes.Reader
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

type openFolder struct {
	openFile
	remaining []fs.DirEntry
}

// ReadDir implements fs.ReadDirFile.
func (f *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(f.remaining)
	} else if len(f.remaining) == 0 {
		return nil, io.EOF
	}
	out := f.remaining[:min(n, len(f.remaining))]
	f.remaining = f.remaining[len(out):]
	return out, nil
}
