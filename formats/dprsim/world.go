package dprsim

import (
	"os"
	"path/filepath"
	"strings"

	"assay/model"
)

// resolveWorld finds the file that an experiment's WORLD names, beside the experiment: the name as it is written, then
// without regard to its extension (the document's own sample names a .dpr), a world before a state.
func resolveWorld(folder, name string) (string, bool) {
	name = filepath.FromSlash(strings.ReplaceAll(name, `\`, "/"))
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, name)
	}
	if regular(path) {
		return path, true
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return "", false
	}
	wanted := stem(filepath.Base(path))
	for _, extension := range []string{strings.ToLower(filepath.Ext(path)), ".world", ".state"} {
		for _, f := range files {
			n := f.Name()
			if strings.EqualFold(stem(n), wanted) && strings.ToLower(filepath.Ext(n)) == extension {
				if found := filepath.Join(filepath.Dir(path), n); regular(found) {
					return found, true
				}
			}
		}
	}
	return "", false
}

// worldLink is where an experiment's WORLD leads: never out of the experiment's folder.
func worldLink(name string) *model.Link {
	return &model.Link{File: name, Look: func(folder string) (string, bool) {
		if !filepath.IsLocal(filepath.FromSlash(strings.ReplaceAll(name, `\`, "/"))) {
			return "", false
		}
		return resolveWorld(folder, name)
	}}
}

func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
