package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/model"
)

// SetKeys sets the shortcuts of a command in the user's file, and returns all shortcuts. It removes the line of a
// command with its default shortcuts. If a shortcut cannot be used, it changes nothing.
func SetKeys(path string, id ID, keys []Key) (*Keys, error) {
	lines, err := readLines(path)
	if err != nil {
		return nil, err
	}
	lines = slices.DeleteFunc(lines, func(line string) bool {
		name, _, ok := strings.Cut(line, "=")
		return ok && ID(strings.TrimSpace(name)) == id
	})
	if !slices.Equal(keys, Default().Of(id)) {
		var texts []string
		for _, k := range keys {
			if err := ByID(id).Scope.checkKey(k); err != nil {
				return nil, err
			}
			texts = append(texts, k.fileText())
		}
		lines = append(lines, string(id)+" = "+strings.Join(texts, " "))
	}
	content := []byte(strings.Join(append(lines, ""), "\n"))
	current, problems := ReadKeys(bytes.NewReader(content))
	if !slices.Equal(current.Of(id), keys) {
		problem := fmt.Sprintf("%s cannot have this shortcut", ByID(id).Label)
		if len(problems) > 0 { // the last line is this command's
			_, problem, _ = strings.Cut(strings.TrimSuffix(problems[len(problems)-1], "."), ": ")
		}
		return nil, errors.New(problem)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return current, model.ReplaceFile(path, content, 0o600)
}

// readLines returns the lines of the file of shortcuts, which may not exist.
func readLines(path string) ([]string, error) {
	f, err := model.OpenShared(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err == nil && len(content) > maxFileSize {
		err = errors.New(path + " is too long for a file of shortcuts")
	}
	if text := strings.TrimRight(string(content), "\n"); err == nil && text != "" {
		return strings.Split(text, "\n"), nil
	}
	return nil, err
}

// fileText returns the key as it is written in the file of shortcuts, which is the same on all systems.
func (k Key) fileText() string { return strings.Replace(k.String(), "Cmd+", "Ctrl+", 1) }
