package dprsim

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"assay/model"
)

// worldLink returns the link from an experiment's WORLD to the file that it names.
func worldLink(name string) *model.Link {
	return &model.Link{File: name, Look: func(folder string) (string, bool) { return resolveWorld(folder, name) }}
}

// resolveWorld finds the file that an experiment's WORLD names, in the experiment's folder or below it: the name as it
// is written, then without regard to its extension (the document's own sample names a .dpr), a world before a state.
func resolveWorld(folder, name string) (string, bool) {
	name = strings.ReplaceAll(name, `\`, "/")
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", false
	}
	root, err := os.OpenRoot(folder) // links do not lead out of it
	if err != nil {
		return "", false
	}
	defer root.Close()
	full := func(name string) (string, bool) {
		info, err := root.Stat(filepath.FromSlash(name))
		return filepath.Join(folder, filepath.FromSlash(name)), err == nil && info.Mode().IsRegular()
	}
	if file, ok := full(name); ok {
		return file, true
	}
	name = path.Clean(name)
	files, _ := fs.ReadDir(root.FS(), path.Dir(name)) // a folder that cannot be read has none
	for _, extension := range []string{strings.ToLower(path.Ext(name)), ".world", ".state"} {
		for _, f := range files {
			other := f.Name()
			if strings.EqualFold(stem(other), stem(path.Base(name))) && strings.EqualFold(path.Ext(other), extension) {
				if file, ok := full(path.Join(path.Dir(name), other)); ok {
					return file, true
				}
			}
		}
	}
	return "", false
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }
