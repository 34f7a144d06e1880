//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/cli"
	"assay/model"
)

// streams returns a runner that opens real files and streams as documents of one text.
func streams(in io.Reader) (r *cli.Runner, out, messages *bytes.Buffer) {
	out, messages = new(bytes.Buffer), new(bytes.Buffer)
	open := func(_ context.Context, src *model.Source) (*model.Document, error) {
		b, err := src.Bytes(model.Span{Size: src.Size()})
		return document(src.Name(), string(b))(), err
	}
	return &cli.Runner{In: in, Out: out, Err: messages, OpenStream: open,
		Open: func(ctx context.Context, path string) (*model.Document, error) {
			src, err := model.OpenFile(path)
			if err != nil {
				return nil, err
			}
			return open(ctx, src)
		}}, out, messages
}

func pipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	return path
}

// TestAPipeIsReadToItsEnd opens a pipe, whose path a shell passes for <(command).
func TestAPipeIsReadToItsEnd(t *testing.T) {
	path := pipe(t)
	written := make(chan error)
	go func() { written <- os.WriteFile(path, []byte("hello"), 0o600) }()
	r, out, messages := streams(nil)
	assert.Equal(t, cli.ExitOK, r.Tree(t.Context(), path, cli.TreeOptions{Depth: -1}), messages)
	require.NoError(t, <-written)
	assert.Contains(t, out.String(), "hello")
}

// silentStream is a stream without data.
type silentStream struct{ read, end chan struct{} }

func (s silentStream) Read([]byte) (int, error) {
	close(s.read)
	<-s.end
	return 0, io.EOF
}

func TestWaitingForAStreamCanBeInterrupted(t *testing.T) {
	in := silentStream{make(chan struct{}), make(chan struct{})}
	t.Cleanup(func() { close(in.end) })
	for name, path := range map[string]string{"the standard input": cli.Dash, "a pipe": pipe(t)} {
		ctx, cancel := context.WithCancel(t.Context())
		r, out, messages := streams(in)
		go func() {
			if path == cli.Dash {
				<-in.read
			}
			cancel()
		}()
		assert.Equal(t, cli.ExitError, r.Tree(ctx, path, cli.TreeOptions{Depth: -1}), name)
		assert.Empty(t, out.String(), name)
		assert.Equal(t, "assay: interrupted\n", messages.String(), name)
		if path != cli.Dash { // so that opening it does not block any longer
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			require.NoError(t, err)
			require.NoError(t, f.Close())
		}
	}
}

// TestVerifyReportsUnreadableFilesInAFolder tests that verify reports unreadable files in a folder, as the window and
// diff do.
func TestVerifyReportsUnreadableFilesInAFolder(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	one, far := filepath.Join(root, "one"), filepath.Join(root, "link", "far")
	require.NoError(t, os.WriteFile(one, nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(outside, "far"), nil, 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(root, "link")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600))
	r, out, messages := files{one: document("one", "v"), far: document("far", "v")}.runner()
	assert.Equal(t, cli.ExitError, r.Verify(t.Context(), []string{root}, cli.VerifyOptions{Recursive: true}))
	assert.Contains(t, out.String(), one+": ")
	assert.Contains(t, out.String(), far+": ")
	assert.Contains(t, messages.String(), filepath.Join(root, "pipe")+" is a pipe, not a file; save its output to a file first")

	over, cancel := context.WithCancel(t.Context())
	cancel()
	out.Reset()
	assert.Equal(t, cli.ExitError, r.Verify(over, []string{root}, cli.VerifyOptions{Recursive: true}))
	assert.NotContains(t, out.String(), "accounted")
}
