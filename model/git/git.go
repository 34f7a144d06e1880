// Package git reads files and their history from the git repository that they are in, and configures git to use the
// program. git must be installed.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"assay/model"
)

// OpenHead opens the version of a file in HEAD, as it is stored.
func OpenHead(ctx context.Context, path string) (*model.Source, error) {
	folder, name := splitPath(path)
	object := "HEAD:./" + name
	if err := run(ctx, folder, io.Discard, "cat-file", "-e", object); err != nil {
		return nil, headError(ctx, folder, name, err)
	}
	return openObject(ctx, folder, name, object, Version(path, "HEAD"))
}

// Version returns a file as it is in a commit, with the files around it.
func Version(path, commit string) *model.FileVersion {
	return &model.FileVersion{Path: path, Files: func(root string) fs.FS { return Tree(root, commit) }}
}

// splitPath returns the folder and the name of path, with symbolic links resolved.
func splitPath(path string) (folder, name string) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return filepath.Split(path)
}

// openObject opens an object: cat-file runs no filter and nothing else of the repository.
func openObject(ctx context.Context, folder, name, object string, version *model.FileVersion) (*model.Source, error) {
	asset := model.Payload{Name: name, Codec: "git", Size: -1, Open: func(ctx context.Context) (io.ReadCloser, error) {
		r, w := io.Pipe()
		go func() { // ends with git, and git with the context or the reader
			w.CloseWithError(run(ctx, folder, w, "cat-file", "blob", object))
		}()
		return r, nil
	}}
	src, err := asset.Nested(ctx, nil, model.ExpandLimit)
	if err == nil {
		src.SetVersion(version)
	}
	return src, err
}

// headError explains why there is no such file in HEAD.
func headError(ctx context.Context, folder, name string, err error) error {
	if ctx.Err() != nil || errors.Is(err, exec.ErrNotFound) {
		return err
	}
	if e := run(ctx, folder, io.Discard, "rev-parse", "--git-dir"); e != nil {
		return fmt.Errorf("%s is not in a git repository: %s", name, firstLine(e.Error()))
	}
	if run(ctx, folder, io.Discard, "rev-parse", "--verify", "HEAD") != nil {
		return fmt.Errorf("the git repository of %s has no commit yet", name)
	}
	return fmt.Errorf("%s is not in git's HEAD: it was never committed", name)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strings.TrimPrefix(line, "fatal: ")
}

// environment returns the program's environment. A difftool gets the repository as paths relative to its working
// folder, and a command may run in another folder.
func environment() []string {
	env := os.Environ()
	for _, key := range []string{"GIT_DIR", "GIT_WORK_TREE"} {
		if path := os.Getenv(key); path != "" && !filepath.IsAbs(path) {
			if abs, err := filepath.Abs(path); err == nil {
				env = append(env, key+"="+abs)
			}
		}
	}
	return env
}

// run runs a git command in a folder, without pager, prompts and fetches.
func run(ctx context.Context, folder string, out io.Writer, args ...string) error {
	program, err := exec.LookPath("git")
	if err != nil {
		return fmt.Errorf("git is not installed: %w", exec.ErrNotFound)
	}
	c := exec.CommandContext(ctx, program, append([]string{"--no-pager", "-c", "core.fsmonitor=false"}, args...)...)
	c.Dir = folder
	c.Env = append(environment(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1")
	c.Stdout = out
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Run(); err != nil {
		if stderr.Len() > 0 {
			return errors.New(firstLine(stderr.String()))
		}
		return err
	}
	return nil
}
