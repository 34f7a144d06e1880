package gallery

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/formats/kaitai"
)

// maxFound bounds the descriptions of a folder.
const maxFound = 2000

// listingLifetime is how long a folder counts as unchanged, so that few of many unrecognized files read it again.
const listingLifetime = time.Second

// folderKey is a folder with the options of the search.
type folderKey struct {
	folder    string
	isOwn     bool // they are the user's own
	recursive bool // and the folders below it
}

// folderCache caches the descriptions of a folder. It is safe for concurrent use.
type folderCache struct {
	folderKey
	now     func() time.Time
	reading sync.Mutex // held while the folder is read
	current atomic.Pointer[listing]
}

// listing is the content of a folder at a time. It is immutable.
type listing struct {
	entries []*Entry
	files   map[string]*cachedEntry // by path
	checked time.Time
}

// cachedEntry is the entry of a file, and the files it depends on.
type cachedEntry struct {
	*Entry
	libraryFolders []string         // the folders that were searched for imports
	tried          map[string]stamp // the files that were tried, including the description itself
}

// stamp identifies the state of a file; a missing file has the zero stamp.
type stamp struct {
	modTime int64 // nanoseconds since 1970
	mode    fs.FileMode
}

func stampOf(file string) stamp {
	info, err := os.Stat(file)
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime().UnixNano(), info.Mode()}
}

// entries returns the descriptions. If maxAge is 0, they are read again; otherwise they may have been read within that
// time, and only the first call waits for another goroutine that reads them.
func (c *folderCache) entries(library kaitai.Library, maxAge time.Duration) []*Entry {
	last := c.current.Load()
	if maxAge == 0 || last == nil {
		c.reading.Lock()
	} else if age := c.now().Sub(last.checked).Abs(); age < maxAge || !c.reading.TryLock() {
		return last.entries
	}
	defer c.reading.Unlock()
	return c.update(library)
}

// update returns the descriptions, and reads new and changed ones.
func (c *folderCache) update(library kaitai.Library) []*Entry {
	previous, current := c.current.Load(), &listing{files: make(map[string]*cachedEntry)}
	for path, d := range pathsIn(c.folder, c.recursive) {
		if !strings.HasSuffix(path, ".ksy") || !isFile(path, d) {
			continue
		}
		if len(current.entries) >= maxFound {
			err := fmt.Errorf("%s has more than %d descriptions; this and the next ones are ignored", c.folder, maxFound)
			current.entries = append(current.entries, newEntry(path, nil, err))
			break
		}
		var e *cachedEntry
		if previous != nil {
			e = previous.files[path]
		}
		if e == nil || e.isStale(library) {
			e = read(path, library)
		}
		current.files[path], current.entries = e, append(current.entries, e.Entry)
	}
	current.checked = c.now()
	c.current.Store(current)
	return current.entries
}

// isFile reports whether path is a file, or a link to one.
func isFile(path string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func read(file string, library kaitai.Library) *cachedEntry {
	e := &cachedEntry{libraryFolders: library.Folders, tried: make(map[string]stamp)}
	library.OnLookup = func(file string) { e.tried[file] = stampOf(file) }
	d, err := library.Load(file)
	e.Entry = newEntry(file, d, err)
	return e
}

// isStale reports whether a file that the description needs was changed, added or removed.
func (e *cachedEntry) isStale(library kaitai.Library) bool {
	for file, then := range e.tried {
		if stampOf(file) != then {
			return true
		}
	}
	return !slices.Equal(e.libraryFolders, library.Folders)
}
