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
	"strconv"
	"strings"
	"time"

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

// Index is the name of the version of a file that is to be committed next.
const Index = "index"

// VersionNames returns the display names of versions of the file at path, which git wrote into files for a difftool:
// the working tree, the index, HEAD, or the commit of the version; empty if git cannot find it.
func VersionNames(ctx context.Context, path string, versions []string) []string {
	folder, name := splitPath(path)
	names := make([]string, len(versions))
	for i, version := range versions {
		if model.IsSameFile(path, version) {
			names[i] = "working tree"
			continue
		}
		hash := output(ctx, folder, "hash-object", "--no-filters", "--", version)
		if hash == "" {
			continue
		}
		for _, known := range [][2]string{{"HEAD", "HEAD:./"}, {Index, ":./"}} {
			if output(ctx, folder, "rev-parse", "--verify", "-q", known[1]+name) == hash {
				names[i] = known[0]
				break
			}
		}
		if names[i] == "" { // of the commits that added or replaced the version, the first one added it
			commits := strings.Fields(output(ctx, folder, "log", "--format=%h", "--find-object="+hash, "--", name))
			if len(commits) > 0 {
				names[i] = commits[len(commits)-1]
			}
		}
	}
	return names
}

// MergeNames returns the display names of the three versions of the file at path that git merges: the name of a branch,
// else the beginning of the hash of a commit; base, mine or theirs if git does not know.
func MergeNames(ctx context.Context, path string) (base, mine, theirs string) {
	folder, _ := splitPath(path)
	commit := func(ref string) string { return output(ctx, folder, "rev-parse", "-q", "--verify", "--short", ref) }
	base, mine, theirs = "base", "mine", "theirs"
	if branch := output(ctx, folder, "symbolic-ref", "-q", "--short", "HEAD"); branch != "" {
		mine = branch
	} else if hash := commit("HEAD"); hash != "" {
		mine = hash
	}
	for _, head := range []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"} {
		hash := commit(head)
		if hash == "" {
			continue
		}
		theirs = hash
		if name := output(ctx, folder, "name-rev", "--name-only", "--no-undefined", "--refs=refs/heads/*", head); name != "" &&
			!strings.ContainsAny(name, "~^") {
			theirs = strings.TrimPrefix(name, "heads/")
		}
		if common := output(ctx, folder, "merge-base", "HEAD", head); common != "" {
			base = commit(common)
		}
		break
	}
	return base, mine, theirs
}

// output returns the output of a command, or "" if it fails.
func output(ctx context.Context, folder string, args ...string) string {
	var out bytes.Buffer
	if run(ctx, folder, &out, args...) != nil {
		return ""
	}
	return strings.TrimSpace(out.String())
}

// Revision is a commit that changed a file.
type Revision struct {
	Hash    string
	Date    time.Time
	Author  string
	Subject string
	Path    string // of the file at that time, from the top of the repository
}

// ShortHash returns the beginning of the hash, the usual name of the commit.
func (r Revision) ShortHash() string { return r.Hash[:min(8, len(r.Hash))] }

// maxRevisions is the maximum number of revisions of a file in the list.
const maxRevisions = 1000

// Revisions returns the commits that changed a file, the latest first, also under names that it had before.
func Revisions(ctx context.Context, path string) ([]Revision, error) {
	folder, name := splitPath(path)
	var out bytes.Buffer
	err := run(ctx, folder, &out, "log", "--follow", "--no-show-signature", "--max-count="+strconv.Itoa(maxRevisions),
		"-z", "--name-only", "--format=%x01%H%x02%ct%x02%an%x02%s", "--", name)
	if err != nil {
		return nil, headError(ctx, folder, name, err)
	}
	revisions := parseLog(out.String())
	if len(revisions) == 0 {
		return nil, fmt.Errorf("%s was never committed to git", name)
	}
	return revisions, nil
}

// parseLog parses the output of git log: for each commit fields, then the path.
func parseLog(out string) []Revision {
	var revisions []Revision
	for _, commit := range strings.Split(out, "\x01")[1:] {
		head, path, _ := strings.Cut(commit, "\x00") // how -z ends the subject
		f := strings.SplitN(head, "\x02", 4)
		if len(f) < 4 {
			continue
		}
		seconds, err := strconv.ParseInt(f[1], 10, 64)
		if err != nil {
			continue
		}
		revisions = append(revisions, Revision{Hash: f[0], Date: time.Unix(seconds, 0), Author: f[2], Subject: f[3],
			Path: strings.Trim(path, "\x00\n")})
	}
	return revisions
}

// OpenAt opens the version of a file in a revision, as it is stored.
func OpenAt(ctx context.Context, path string, r Revision) (*model.Source, error) {
	folder, name := splitPath(path)
	object := r.Hash + ":./" + name
	if r.Path != "" {
		object = r.Hash + ":" + r.Path
	}
	return openObject(ctx, folder, name, object, Version(path, r.Hash))
}

// IsTemporary reports whether a file is one that git made for a difftool and will remove.
func IsTemporary(path string) bool {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		name := filepath.Base(dir)
		if strings.HasPrefix(name, "git-blob-") || strings.HasPrefix(name, "git-difftool.") {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
