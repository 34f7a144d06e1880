package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"assay/model"
)

// Setup makes git show changes of the program's files as text, and use it as difftool and mergetool.
type Setup struct {
	Folder     string   // in the repository
	Global     bool     // for all repositories of this user
	Program    string   // the program that prints outlines
	Window     string   // the program that opens comparisons; may be empty
	Extensions []string // of files that git shows as outlines
	Archives   []string // extensions of such files that are merged asset by asset
	Texts      []string // extensions of files that git shows as they are, as they are texts
	Log        io.Writer
}

// The attributes of the program are between these two lines.
const (
	attributesBegin = "# assay: begin"
	attributesEnd   = "# assay: end"
)

// settings returns the settings for git's configuration.
func (s *Setup) settings() [][2]string {
	program := quotePath(s.Program)
	out := [][2]string{
		// A file with problems has an outline too, and git expects the status 0.
		{"diff.assay.textconv", "f() { " + program + ` tree --no-offsets -- "$1" || test $? -eq 1; }; f`},
		// The line at the margin before a change is the item that changed: "[Node] duck".
		{"diff.assay.xfuncname", "^[^ ].*$"},
		// If two versions changed different assets, git merges by itself; else the file stays as mine, in conflict.
		{"merge.assay.name", "assets of packages"},
		{"merge.assay.driver", program + " merge %O %A %B -o %A --replace --git=%P"},
	}
	if s.Window != "" {
		window := quotePath(s.Window)
		out = append(out, [][2]string{
			{"difftool.assay.cmd", window + ` compare --wait --path "$MERGED" "$LOCAL" "$REMOTE"`},
			{"mergetool.assay.cmd", window + ` mergetool "$BASE" "$LOCAL" "$REMOTE" "$MERGED"`},
			{"mergetool.assay.trustExitCode", "true"},
		}...)
	}
	return out
}

// quotePath returns a path as the shell that git uses takes it, on every system.
func quotePath(path string) string {
	return "'" + strings.ReplaceAll(filepath.ToSlash(path), "'", `'\''`) + "'"
}

// Write writes the configuration and the attributes. It replaces the result of an earlier call.
func (s *Setup) Write(ctx context.Context) error {
	if err := s.checkRepository(ctx); err != nil {
		return err
	}
	repaired := false
	for _, v := range s.settings() {
		old := output(ctx, s.Folder, "config", s.scope(), "--get-all", v[0])
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case old == v[1]:
			continue
		}
		repaired = repaired || old != ""
		if err := s.setConfig(ctx, "--replace-all", v[0], v[1]); err != nil {
			return err
		}
	}
	if repaired {
		fmt.Fprintln(s.Log, "repaired the settings of an earlier setup")
	}
	var lines strings.Builder
	lines.WriteString(attributesBegin + "\n")
	for _, e := range s.Extensions {
		lines.WriteString("*" + e + " diff=assay\n")
	}
	for _, e := range s.Archives {
		lines.WriteString("*" + e + " diff=assay merge=assay\n")
	}
	for _, e := range s.Texts {
		lines.WriteString("*" + e + " diff\n")
	}
	lines.WriteString(attributesEnd + "\n")
	return s.writeAttributes(ctx, lines.String())
}

// Undo removes the settings of Write.
func (s *Setup) Undo(ctx context.Context) error {
	if err := s.checkRepository(ctx); err != nil {
		return err
	}
	for _, section := range []string{"diff.assay", "merge.assay", "difftool.assay", "mergetool.assay"} {
		// A missing section is not an error.
		if err := s.setConfig(ctx, "--remove-section", section); err != nil &&
			!strings.Contains(err.Error(), "no such section") {
			return err
		}
	}
	return s.writeAttributes(ctx, "")
}

func (s *Setup) checkRepository(ctx context.Context) error {
	if s.Global {
		if _, err := exec.LookPath("git"); err != nil {
			return errors.New("git is not installed")
		}
		return nil
	}
	if err := run(ctx, s.Folder, io.Discard, "rev-parse", "--git-dir"); err != nil {
		return fmt.Errorf("not in a Git repository; use --global to configure all repositories: %w", err)
	}
	return nil
}

func (s *Setup) setConfig(ctx context.Context, args ...string) error {
	return run(ctx, s.Folder, io.Discard, append([]string{"config", s.scope()}, args...)...)
}

func (s *Setup) scope() string {
	if s.Global {
		return "--global"
	}
	return "--local"
}

// writeAttributes replaces the program's lines in the file of attributes.
func (s *Setup) writeAttributes(ctx context.Context, lines string) error {
	path, err := s.attributesFile(ctx)
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // settings are often links into a repository of them
	}
	old, err := model.ReadShared(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	updated := withoutLines(string(old))
	if lines != "" && updated != "" && !strings.HasSuffix(updated, "\n") {
		updated += "\n"
	}
	if updated += lines; updated == string(old) {
		return nil
	}
	if updated == "" {
		fmt.Fprintf(s.Log, "removed %s\n", path)
		return os.Remove(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	fmt.Fprintf(s.Log, "wrote %s\n", path)
	return model.ReplaceFile(path, []byte(updated), 0o644)
}

// attributesFile returns the attributes file of this user, or the uncommitted one of the repository.
func (s *Setup) attributesFile(ctx context.Context) (string, error) {
	if !s.Global {
		var out bytes.Buffer
		if err := run(ctx, s.Folder, &out, "rev-parse", "--git-path", "info/attributes"); err != nil {
			return "", err
		}
		path := strings.TrimSpace(out.String())
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.Folder, path)
		}
		return path, nil
	}
	if path := output(ctx, s.Folder, "config", "--global", "--type=path", "core.attributesFile"); path != "" {
		return path, nil
	}
	if config := os.Getenv("XDG_CONFIG_HOME"); config != "" {
		return filepath.Join(config, "git", "attributes"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".config", "git", "attributes"), err
}

// withoutLines returns a file of attributes without the program's own lines.
func withoutLines(s string) string {
	before, rest, ok := strings.Cut(s, attributesBegin+"\n")
	if !ok {
		return s
	}
	_, after, ok := strings.Cut(rest, attributesEnd+"\n")
	if !ok {
		return s
	}
	return before + after
}
