package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// ErrChanged is the error if the size or the modification time of a file changed after it was opened.
var ErrChanged = errors.New("the file changed on disk since it was opened")

// Source is the read-only bytes of one file, or of a part of one. It is read with ReadAt through a block cache and
// never mapped into memory: a file that shrinks while it is open gives an error, not a signal. Safe for concurrent use.
type Source struct {
	name       string
	path       string
	containers []string // names of files, the outermost first
	size       int64
	r          io.ReaderAt
	file       *os.File
	time       time.Time

	remove   string // the path of a temporary file that Close removes; empty if it has lost its name
	holders  atomic.Int32
	failed   atomic.Pointer[ReadError]        // the first read that failed
	onFailed atomic.Pointer[func(*ReadError)] // called with the first failed read

	summed bool // see IsSummed
	absent bool // see IsAbsent

	siblings    *siblings    // of a source inside of another
	siblingName string       // among them
	home        string       // the path of the file that it is inside of
	version     *FileVersion // see SetVersion
	asset       string       // the type of the asset of a document that it is the content of

	resources   atomic.Pointer[string]       // see Resources
	assignments atomic.Pointer[Assignments]  // see Assignments
	depends     atomic.Pointer[dependencies] // see Dependencies
	shared      *sync.Map                    // see SharedValues
}

// OpenError is the reason why a file cannot be opened. Its text has the file's base name; combine Reason with any other
// name of the file.
type OpenError struct {
	Path   string // as it was given
	Reason string // "cannot be opened: permission denied"
	Err    error  // may be nil
}

func (e *OpenError) Error() string { return FileName(e.Path) + " " + e.Reason }

func (e *OpenError) Unwrap() error { return e.Err }

// ErrFolder is the error for the path of a folder instead of a file.
var ErrFolder = errors.New("it is a folder")

// ErrPipe is the error for the path of a pipe instead of a file.
var ErrPipe = errors.New("it is a pipe")

// OpenFile opens the regular file at path for reading, or for the null device an empty source (see IsAbsent). The error
// is an *OpenError.
func OpenFile(path string) (*Source, error) {
	if isNullDevice(path) {
		s := NewSource("no file", bytes.NewReader(nil), 0) // without a path, which would be watched for changes
		s.absent = true
		return s, nil
	}
	// Stat before Open: opening a pipe blocks until it has a writer, and opening a device may have side effects.
	if _, err := StatFile(path); err != nil {
		return nil, err
	}
	f, err := OpenShared(path)
	if err != nil {
		return nil, cannotOpen(path, err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, cannotOpen(path, err)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		absolute = path
	}
	s := &Source{name: FileName(path), path: absolute, size: info.Size(), file: f, time: info.ModTime()}
	s.r = newBlockCache(f, info.Size())
	return s, nil
}

// isNullDevice reports whether git and diff use path for a file that a version does not have. On Windows filepath.Abs
// makes \\.\NUL of NUL.
func isNullDevice(path string) bool {
	return path == os.DevNull || path == "/dev/null" || strings.EqualFold(path, `\\.\NUL`)
}

// IsAbsent reports whether the source is a placeholder for a file that one of two versions does not have: it is empty.
func (s *Source) IsAbsent() bool { return s != nil && s.absent }

// StatFile describes a file that OpenFile can open, without opening it. An error is an *OpenError.
func StatFile(path string) (os.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		if link, lerr := os.Lstat(path); lerr == nil && link.Mode()&os.ModeSymlink != 0 &&
			errors.Is(err, os.ErrNotExist) {
			return nil, &OpenError{path, "is a link to " + linkTarget(path) + ", which does not exist", err}
		}
		return nil, cannotOpen(path, err)
	}
	if info.IsDir() {
		return nil, &OpenError{path, "is a folder, not a file", ErrFolder}
	}
	if info.Mode()&os.ModeNamedPipe != 0 {
		return nil, &OpenError{path, "is a pipe, not a file; save its output to a file first", ErrPipe}
	}
	if !info.Mode().IsRegular() {
		return nil, &OpenError{path, "is " + kindOf(info.Mode()) + ", not a regular file", nil}
	}
	return info, nil
}

// SetSummed reports, before a source is opened, that its writer has just computed the checksums in it. Formats that
// check contents with their nodes skip that then.
func (s *Source) SetSummed() { s.summed = true }

// IsSummed reports whether SetSummed was called.
func (s *Source) IsSummed() bool { return s.summed }

// NewSource returns the first size bytes of r as a Source. r must be safe for concurrent use.
func NewSource(name string, r io.ReaderAt, size int64) *Source {
	return &Source{name: name, size: size, r: r}
}

// Section returns the bytes of span as a Source of its own, with offsets from 0. The span is cut to the bytes there
// are.
func (s *Source) Section(name string, span Span) *Source {
	span.Offset = min(max(span.Offset, 0), s.size)
	span.Size = min(max(span.Size, 0), s.size-span.Offset)
	return &Source{name: name, size: span.Size, r: io.NewSectionReader(s, span.Offset, span.Size)}
}

// WithoutFiles returns a source of the same file without open files: it has no bytes to read.
func (s *Source) WithoutFiles() *Source {
	return &Source{name: s.name, path: s.path, containers: s.containers, size: s.size, r: bytes.NewReader(nil),
		time: s.time}
}

// Name returns the file's base name as FileName returns it, or the name that a part was given.
func (s *Source) Name() string { return s.name }

// Stem returns the name without its extension and without separators, to make other names of.
func (s *Source) Stem() string { return asBaseName(withoutExtension(s.name)) }

// Path returns the file's absolute path; empty for bytes that are no file of their own.
func (s *Source) Path() string { return s.path }

// Containers returns the names of the files that this one is inside of, the outermost first.
func (s *Source) Containers() []string { return s.containers }

// Size returns the number of bytes when the file was opened.
func (s *Source) Size() int64 { return s.size }

// ReadAt fills p from off as io.ReaderAt does. Bytes that the file had when it was opened and has no longer give an
// error that wraps ErrChanged.
func (s *Source) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("%s: read at a negative offset", s.name)
	}
	if off >= s.size {
		return 0, io.EOF
	}
	short := false
	if int64(len(p)) > s.size-off {
		p, short = p[:s.size-off], true
	}
	n, err := s.r.ReadAt(p, off)
	if n == len(p) {
		if short {
			return n, io.EOF
		}
		return n, nil
	}
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%s was truncated at %#x (expected %d bytes): %w", s.name, off+int64(n), s.size, ErrChanged)
	}
	cause := err
	if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
		cause = pathErr.Err // the caller has the name of the file
	}
	s.failed.CompareAndSwap(nil, &ReadError{Span{off, int64(len(p))}, cause})
	s.notifyFailed()
	return n, err
}

// ReadError is a read of a Source that failed.
type ReadError struct {
	Span Span
	Err  error
}

func (e *ReadError) Error() string {
	return fmt.Sprintf("cannot read %d bytes at %#x: %v", e.Span.Size, e.Span.Offset, e.Err)
}

func (e *ReadError) Unwrap() error { return e.Err }

// OnFailed sets the function that is called once, with the first read that fails: by the reading goroutine, or at once
// if a read has failed already.
func (s *Source) OnFailed(notify func(err *ReadError)) {
	s.onFailed.Store(&notify)
	s.notifyFailed()
}

func (s *Source) notifyFailed() {
	if err := s.failed.Load(); err != nil {
		if notify := s.onFailed.Swap(nil); notify != nil {
			(*notify)(err)
		}
	}
}

// Err returns the first error of all reads so far, or nil. Nodes that were decoded after it may be wrong or
// incomplete, even if a decoder took the missing bytes for another layout.
func (s *Source) Err() error {
	if err := s.failed.Load(); err != nil {
		return err
	}
	return nil
}

// Reader streams the bytes of span.
func (s *Source) Reader(span Span) io.Reader { return io.NewSectionReader(s, span.Offset, span.Size) }

// Bytes reads the whole span, which must be within the source; the caller bounds its size.
func (s *Source) Bytes(span Span) ([]byte, error) {
	if !span.Within(s.size) {
		return nil, fmt.Errorf("%s: %d bytes at %#x are not in the file", s.name, span.Size, span.Offset)
	}
	b := make([]byte, span.Size)
	n, err := s.ReadAt(b, span.Offset)
	if n == len(b) {
		err = nil
	}
	return b[:n], err
}

// Changed returns an error that wraps ErrChanged if the file on disk was replaced, changed or removed.
func (s *Source) Changed() error {
	if s.path == "" {
		return nil
	}
	now, err := os.Stat(s.path)
	if err != nil {
		return fmt.Errorf("%s no longer exists: %w", s.name, ErrChanged)
	}
	same := true
	if s.file != nil {
		opened, err := s.file.Stat()
		same = err == nil && os.SameFile(now, opened)
	}
	if !same || now.Size() != s.size || !now.ModTime().Equal(s.time) {
		return fmt.Errorf("%s: %w", s.name, ErrChanged)
	}
	return nil
}

// IsIntact reports whether the bytes that were opened can still be read: the file was perhaps replaced, but not written
// over.
func (s *Source) IsIntact() bool {
	if s.path == "" {
		return true
	}
	info, err := s.file.Stat()
	return err == nil && info.Size() == s.size && info.ModTime().Equal(s.time)
}

// InMemory reports whether the bytes are in memory, so that reads do not block.
func (s *Source) InMemory() bool {
	switch s.r.(type) {
	case *bytes.Reader, *strings.Reader:
		return true
	}
	return false
}

// Hold keeps the source open for one more owner, which also has to call Close.
func (s *Source) Hold() { s.holders.Add(1) }

// Close closes the file unless it is held elsewhere. Then its Sections cannot be read any more.
func (s *Source) Close() error {
	if s.holders.Add(-1) >= 0 || s.file == nil {
		return nil
	}
	if c, ok := s.r.(*blockCache); ok {
		c.discard()
	}
	err := s.file.Close()
	if s.remove != "" {
		err = errors.Join(err, os.Remove(s.remove))
	}
	return err
}

func cannotOpen(path string, err error) error {
	reason := err
	var p *os.PathError
	if errors.As(err, &p) {
		reason = p.Err
	}
	text := reason.Error()
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		text = explainMissing(path)
	case errors.Is(err, os.ErrPermission):
		text += "; you do not have permission to read it"
	}
	return &OpenError{path, "cannot be opened: " + text, err}
}

// linkTarget returns the target of a link, as text for users.
func linkTarget(path string) string {
	target, err := os.Readlink(path)
	if err != nil {
		return "a file"
	}
	return OneLine(target, maxNameLength)
}

func kindOf(m os.FileMode) string {
	switch {
	case m&os.ModeSocket != 0:
		return "a socket"
	case m&os.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

// OpenShared opens a file or folder for reading, so that others may write to it, replace it, rename it and remove it
// meanwhile. On Windows os.Open shares no right to rename or remove.
func OpenShared(path string) (*os.File, error) { return openShared(path) }

// ReadShared reads a whole file that OpenShared opens.
func ReadShared(path string) ([]byte, error) {
	f, err := openShared(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// ReadText reads a file with a text that users write, such as a description: a regular file of up to limit bytes. It
// does not open a pipe or a device, and reads no more of a file that grows meanwhile.
func ReadText(path string, limit int64) ([]byte, error) {
	info, err := StatFile(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, &OpenError{path, fmt.Sprintf("has %d bytes; %d are allowed", info.Size(), limit), nil}
	}
	f, err := openShared(path)
	if err != nil {
		return nil, cannotOpen(path, err)
	}
	defer f.Close()
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, &OpenError{path, "was replaced while it was opened", err}
	}
	return io.ReadAll(io.LimitReader(f, limit))
}

// ReplaceFile writes a file, whole or not at all, and replaces an existing one. Windows refuses that while another
// program has the old one open. Indexers and scanners close a file soon, so it retries for a while.
func ReplaceFile(path string, content []byte, perm os.FileMode) error {
	return replaceFile(path, content, perm)
}

// Opener opens the bytes of a source as a document.
type Opener = func(ctx context.Context, src *Source) (*Document, error)

// OpenSource opens a source with open, and closes it if that fails.
func OpenSource(ctx context.Context, src *Source, open Opener) (*Document, error) {
	d, err := open(ctx, src)
	if err != nil {
		src.Close()
		return nil, err
	}
	return d, nil
}

// OpenDocument opens the file at a path with open, which gets a Source that has the resource folder; it may be empty.
// Closing the document's Source closes the file.
func OpenDocument(ctx context.Context, path, resources string, open Opener) (*Document, error) {
	src, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	src.SetResources(resources)
	src.shared, _ = ctx.Value(sharedKey{}).(*sync.Map)
	return OpenSource(ctx, src, open)
}

type sharedKey struct{}

// Sharing returns a context for an operation on many files: the documents that OpenDocument opens with it share what
// formats keep about the files around them, such as the index of a project, which is then read once.
func Sharing(ctx context.Context) context.Context {
	if ctx.Value(sharedKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, sharedKey{}, new(sync.Map))
}

// SharedValues returns the values that the files of one operation share, with keys of the formats, or nil.
func (s *Source) SharedValues() *sync.Map { return s.shared }

// Resources returns the user's folder that is searched for referenced files, besides the surrounding folders, or "".
func (s *Source) Resources() string {
	if folder := s.resources.Load(); folder != nil {
		return *folder
	}
	return ""
}

// SetResources sets the result of Resources, for documents that are opened later.
func (s *Source) SetResources(folder string) { s.resources.Store(&folder) }

// FileVersion describes a version of a file that is not on disk, such as one from git.
type FileVersion struct {
	Path string // of the file on disk
	// Files returns the files below a surrounding folder in that version; nil if they are not available.
	Files func(root string) fs.FS
}

// SetVersion marks the source as a version of a file that is not the file it is read from. References are resolved
// around that file. It is called before the source is read.
func (s *Source) SetVersion(v *FileVersion) { s.version = v }

// Version returns the version that the source is; nil if it is the file itself.
func (s *Source) Version() *FileVersion { return s.version }

// Home returns the path on disk of the source's file, of the file that it is a version of, or of the file that contains
// it, or "".
func (s *Source) Home() string {
	if s.version != nil {
		return s.version.Path
	}
	if s.path != "" {
		return s.path
	}
	return s.home
}

// CloseDocuments closes the sources of documents; a document may be nil.
func CloseDocuments(opened ...*Document) {
	for _, d := range opened {
		if d != nil {
			d.Source.Close()
		}
	}
}

// AssetType returns the type of the asset that the source is the content of; empty if it is not an asset's.
func (s *Source) AssetType() string { return s.asset }

// IsSameFile reports whether two paths are of the same file, which exists.
func IsSameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// IsFolder reports whether a folder is at a path.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
