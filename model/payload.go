package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"
)

// Verdict is the result of comparing content with its recorded checksum.
type Verdict uint8

// The verdicts. Unrecorded: the file holds no checksum for it; Unknown: recorded, but not computable.
const (
	Unrecorded Verdict = iota
	Valid
	Invalid
	Unknown
)

// String returns the verdict as text.
func (v Verdict) String() string {
	return [...]string{"not recorded", "valid", "invalid", "cannot be checked"}[v]
}

// Checksums are the names of the checksums of assets that filters know.
var Checksums = []string{"adler32", "crc32", "md5", "sha1", "sha256"}

// UnknownType is the Type of a payload if the document has no name for its type.
const UnknownType = "unknown"

// Payload is an asset that can leave the file.
type Payload struct {
	Key       string    // as the key of its node
	Name      string    // a good relative file name, with forward slashes and an extension; not yet made safe
	Type      string    // the document's name of it
	Recorded  string    // the type that the file records, as an extension without its dot; empty if Name has it
	MediaType string    // of its expanded content; empty if unknown
	Node      *Node     // the node it comes from
	Size      int64     // bytes of its expanded content, -1 if unknown before it is expanded
	Stored    Span      // the bytes that hold it in the file
	Codec     string    // how it is stored: "" plain, else the name of the compression
	ModTime   time.Time // when it was last changed; zero if not recorded
	Problem   string    // why it cannot leave expanded (an unknown compression); empty if it can

	// Open streams the expanded content; with Problem set, the stored bytes. Where a checksum is recorded the stream
	// is a Checked one, so that one read both copies and verifies; CheckedStream makes it.
	Open func(ctx context.Context) (io.ReadCloser, error)
	// Verify compares the content with the recorded checksum by reading it. A format with checksums implements it
	// besides Checked streams, so that assets need not be opened to find out. nil means that no checksum is recorded.
	Verify func(ctx context.Context) (Verdict, string, error)
	// Forms are the forms it can be written in, the default first; nil means only as it is.
	Forms []Form
}

// IsDerived reports whether the payload is exported by default as a file made of its bytes: the bytes themselves are a
// part of the file, and not a complete file.
func (p *Payload) IsDerived() bool { return len(p.Forms) > 0 && !p.Forms[0].IsRaw() }

// Checked is a stream of a payload that compares its bytes with the recorded checksum as they are read.
type Checked interface {
	io.ReadCloser
	// Verdict is the result of the comparison, with a message; Unknown until Read has returned io.EOF.
	Verdict() (Verdict, string)
}

// CheckedStream makes a Checked of a stream whose checksum is computed while it is read. AtEnd is called once, at the
// end of the stream.
type CheckedStream struct {
	io.ReadCloser
	AtEnd func() (Verdict, string)

	done    bool
	verdict Verdict
	why     string
}

// Read reads, and calls AtEnd at the end.
func (s *CheckedStream) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if err == io.EOF && !s.done {
		s.done = true
		s.verdict, s.why = s.AtEnd()
	}
	return n, err
}

// Verdict returns the result of AtEnd.
func (s *CheckedStream) Verdict() (Verdict, string) {
	if !s.done {
		return Unknown, "the content was not read to its end"
	}
	return s.verdict, s.why
}

// Check compares the content with the recorded checksum by reading it once: by Verify, or else by a Checked stream. It
// returns an error if the content cannot be read.
func (p *Payload) Check(ctx context.Context) (Verdict, string, error) {
	if p.Verify != nil {
		return p.Verify(ctx)
	}
	if p.Open == nil {
		return Unrecorded, "", nil
	}
	r, err := p.Open(ctx)
	if err != nil {
		return Unknown, "", err
	}
	defer r.Close()
	c, ok := r.(Checked)
	if !ok {
		return Unrecorded, "", nil
	}
	buf := make([]byte, 256<<10)
	for {
		if err := ctx.Err(); err != nil {
			return Unknown, "", err
		}
		switch _, err := c.Read(buf); {
		case err == io.EOF:
			v, why := c.Verdict()
			return v, why, nil
		case err != nil:
			return Unknown, "", err
		}
	}
}

// ExpandLimit is the default limit of an expanded asset: 4 GiB.
const ExpandLimit = 4 << 30

// Content that expands to more than both is out of all proportion to the bytes that it is stored in.
const (
	MinExcess   = 1 << 30
	ExcessTimes = 100
)

// MaxExpanded returns the limit for expanding content of unrecorded size, by the number of its stored bytes:
// ExpandLimit, or less if that is out of proportion.
func MaxExpanded(stored int64) int64 {
	return min(ExpandLimit, max(MinExcess, ExcessTimes*min(stored, ExpandLimit)))
}

// Nested returns the payload's content as a Source of its own, so that a file inside of a file opens as a document.
// Content that is stored as it is stays a part of parent; other content is expanded, to at most limit bytes, into
// memory or beyond 16 MiB into a temporary file that is gone after Close.
func (p *Payload) Nested(ctx context.Context, parent *Source, limit int64) (*Source, error) {
	s, err := p.nested(ctx, parent, limit)
	if err == nil && parent != nil {
		s.containers = append(slices.Clone(parent.containers), parent.name)
		s.home, s.asset = parent.Home(), p.Type
		s.SetResources(parent.Resources())
		s.SetAssignments(parent.Assignments())
		s.depends.Store(parent.dependencies())
	}
	return s, err
}

func (p *Payload) nested(ctx context.Context, parent *Source, limit int64) (*Source, error) {
	if p.Problem != "" {
		return nil, fmt.Errorf("%s cannot be opened: %s", p.Name, p.Problem)
	}
	if p.Codec == "" && p.Size == p.Stored.Size {
		return parent.Section(p.Name, p.Stored), nil
	}
	r, err := p.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if p.Codec != "" && p.Size < 0 {
		limit = min(limit, MaxExpanded(p.Stored.Size))
	}
	return expand(ctx, p.Name, r, limit)
}

func expand(ctx context.Context, name string, r io.Reader, limit int64) (*Source, error) {
	s, err := spool(ctx, name, r, limit)
	switch {
	case errors.Is(err, errTooLong):
		return nil, fmt.Errorf("%s expands to more than the limit of %d bytes", name, limit)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be expanded: %w", name, err)
	}
	return s, nil
}

// OpenPipe returns the output of write as a stream, for Payload.Open. write runs until its stream is read to the end or
// closed: the caller of Open closes it.
func OpenPipe(write func(ctx context.Context, w io.Writer) error) func(ctx context.Context) (io.ReadCloser, error) {
	return func(ctx context.Context) (io.ReadCloser, error) {
		r, w := io.Pipe()
		go func() { w.CloseWithError(write(ctx, w)) }()
		return r, nil
	}
}

// Form is one way to write a payload: "raw", "png", "glb".
type Form struct {
	Name      string // as the option --as takes it
	Extension string // with its dot; empty keeps the payload's own
	MediaType string
	// Write writes it; nil means the payload's own bytes. It may return a Loss.
	Write func(ctx context.Context, w io.Writer) error
	// WriteFiles replaces Write for a form of several files. It writes the file with Extensions[file]: names are the
	// names of all of them, for files that refer to each other.
	WriteFiles func(ctx context.Context, w io.Writer, file int, names []string) error
	// Extensions has the extension of each file that WriteFiles writes; the first is the form's.
	Extensions []string
	// Shared has, for each file of Extensions, its identity if other payloads may need it as well, such as the path of
	// a texture in its project, or "". A shared file is written once, under its extension without the dot.
	Shared []string
	// Files replaces Write and WriteFiles if the payload has to be opened to determine the files of the form: it
	// returns the form with its WriteFiles.
	Files func(ctx context.Context) (Form, error)
	// Has returns ErrNoForm if the content of a form FromContent does not have the form. It may be nil.
	Has func(ctx context.Context) error
	// FromContent reports whether the payload is a file and the form belongs to its content. It is used only on
	// request.
	FromContent bool
}

// ErrNoForm is the error of a form FromContent that the content does not have; the name of the form follows its text.
var ErrNoForm = errors.New("nothing in it can be exported as")

// IsRaw reports whether the form is the payload's own bytes.
func (f *Form) IsRaw() bool { return f.Write == nil && f.WriteFiles == nil && f.Files == nil }

// Loss is the error of a Write that wrote a complete file but had to omit content: messages about the omissions.
type Loss []string

// Error returns the sentences.
func (l Loss) Error() string { return strings.Join(l, "; ") }

// Guessed begins a message about a value that no file records and that was chosen by default. It is no loss: if a scene
// or a Loss has only such messages, it is complete.
const Guessed = "guessed: "

// Payloads is a list of assets that are described on access.
type Payloads interface {
	Len() int
	At(i int) *Payload
}

// Verifier is Payloads that verifies millions of assets without a description of each.
type Verifier interface {
	Payloads
	// VerifyEach verifies the assets in [from, to), in order, as Payload.Verify does, and calls each with the results.
	// It may be called from several goroutines. The error is the context's.
	VerifyEach(ctx context.Context, from, to int, each func(i int, v Verdict, why string, err error)) error
}

// Describer is Payloads that describes millions of assets without their nodes.
type Describer interface {
	Payloads
	// DescribeEach calls each with the assets in [from, to), in order, until it returns false. A Payload is valid until
	// each returns. It has no Node, and a MediaType only if its content had to be read for its Name.
	DescribeEach(ctx context.Context, from, to int, each func(i int, p *Payload) bool) error
}

// DescribeEach calls each with the assets from one to another, in order, until it returns false. It uses
// the Describer if payloads is one.
func DescribeEach(ctx context.Context, payloads Payloads, from, to int, each func(i int, p *Payload) bool) error {
	if d, ok := payloads.(Describer); ok {
		return d.DescribeEach(ctx, from, to, each)
	}
	for i := from; i < to && ctx.Err() == nil; i++ {
		if !each(i, payloads.At(i)) {
			break
		}
	}
	return ctx.Err()
}

// PayloadList is Payloads in memory.
type PayloadList []*Payload

// Len returns the number of assets.
func (l PayloadList) Len() int { return len(l) }

// At returns the i-th asset.
func (l PayloadList) At(i int) *Payload { return l[i] }

// Item is an item that a node represents to the user: a mesh, an animation, an asset. A comparison counts items: all
// changes in one of them count as one change.
type Item struct {
	Kind    string // singular name in lower case: "mesh"
	Group   string // counted separately, such as the type of an asset; may be empty
	Uniform bool   // many are very similar, so that only the key identifies one
	Bytes   int64  // its bytes in the file, where those are worth counting

	// Facts are its main properties: its size, its format.
	Facts []Fact
	// IsLocation reports whether a leaf below the node is part of the position of the item; may be nil.
	IsLocation func(leaf *Node) bool
	// Content returns the content that a comparison compares, such as the view of an asset, or nil. It may be nil.
	Content func(ctx context.Context) (any, error)
	// File opens the asset as a document, which the caller closes; it returns nil for content without a structure. It
	// may be nil.
	File func(ctx context.Context) (*Document, error)
}

// Fact is a property of an item, as text.
type Fact struct {
	Name, Value string
}

// NodePayload is any node as an asset that was not one: itself and all below it as JSON.
func NodePayload(d *Document, n *Node) *Payload {
	name := n.Name
	switch {
	case n.Parent == nil:
		name = d.Source.Stem()
	case n.DisplayName() != "":
		name = n.DisplayName()
	case n.Parent.Parent != nil && (n.Name == "" || n.IsElement()):
		name = n.Parent.Name + "-" + n.Name
	}
	write := func(ctx context.Context, w io.Writer) error {
		defer d.ReadUntil(ctx)()
		return DumpNode(ctx, w, n)
	}
	p := &Payload{Key: n.PathText(), Name: asBaseName(name) + ".json", Type: "node", MediaType: "application/json",
		Node: n, Size: -1, Stored: n.Span,
		Forms: []Form{{Name: "json", Extension: ".json", MediaType: "application/json", Write: write}}}
	if n.Size > 0 && n.Within(d.Source.Size()) {
		p.Size = n.Size
		p.Open = bytesOf(d.Source, n.Span)
		p.Forms = append(p.Forms, Form{Name: "raw", Extension: ".bin", MediaType: "application/octet-stream"})
	}
	return p
}

// SpanPayload returns a range of bytes as an asset, as they are in the file.
func SpanPayload(d *Document, s Span) *Payload {
	return &Payload{Key: fmt.Sprintf("%#x+%d", s.Offset, s.Size),
		Name: fmt.Sprintf("%s-%x-%x.bin", d.Source.Stem(), s.Offset, s.End()),
		Type: "bytes", MediaType: "application/octet-stream", Size: s.Size, Stored: s, Open: bytesOf(d.Source, s)}
}

func bytesOf(src *Source, s Span) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) {
		if !s.Within(src.Size()) {
			return nil, fmt.Errorf("%d bytes at %#x are not in the file", s.Size, s.Offset)
		}
		return io.NopCloser(src.Reader(s)), nil
	}
}

func withoutExtension(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// asBaseName returns a name as that of a file: without separators, and not empty.
func asBaseName(name string) string {
	name = strings.NewReplacer("/", "_", `\`, "_").Replace(name)
	if name == "" {
		return "node"
	}
	return name
}
