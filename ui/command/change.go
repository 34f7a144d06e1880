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

// Change gives a command other shortcuts in the user's file, and returns all shortcuts. The default ones of the command
// need no line in the file. It changes nothing if a shortcut cannot be used.
func Change(path string, id ID, keys []Key) (*Keys, error) {
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
			if err := Of(id).Place.accept(k); err != nil {
				return nil, err
			}
			texts = append(texts, k.file())
		}
		lines = append(lines, string(id)+" = "+strings.Join(texts, " "))
	}
	content := []byte(strings.Join(append(lines, ""), "\n"))
	current, problems := Read(bytes.NewReader(content))
	if !slices.Equal(current.Of(id), keys) {
		problem := fmt.Sprintf("%s cannot have this shortcut", Of(id).Label)
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
	content, err := io.ReadAll(io.LimitReader(f, fileMost+1))
	if err == nil && len(content) > fileMost {
		err = errors.New(path + " is too long for a file of shortcuts")
	}
	if text := strings.TrimRight(string(content), "\n"); err == nil && text != "" {
		return strings.Split(text, "\n"), nil
	}
	return nil, err
}

// file returns the key as the file of shortcuts has it, which names the modifiers alike on every system.
func (k Key) file() string { return strings.Replace(k.String(), "Cmd+", "Ctrl+", 1) }
