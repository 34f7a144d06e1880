package compare

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"assay/model"
)

// filesMost is how many files of a folder are listed.
const filesMost = 500_000

// File is a file of one or both of two folders.
type File struct {
	Name    string // below the folder, with forward slashes
	OldName string // of a moved file
	Old     int64  // sizes; -1: not there
	New     int64
	Status  Status
	At      int64  // of a changed file of the same size: the first byte that differs
	Problem string // why it could not be compared
}

// Folders compares the files of two folders: which are the same byte for byte, changed, moved, added or removed. Links
// are not followed, and what belongs to git is left out.
func Folders(ctx context.Context, old, new string, progress model.Progress) ([]File, error) {
	var sizes [2]map[string]int64
	for i, root := range []string{old, new} {
		var err error
		if sizes[i], err = listFiles(ctx, root); err != nil {
			return nil, err
		}
	}
	var all []File
	total, done := int64(0), int64(0)
	for name, size := range sizes[1] {
		f := File{Name: name, Old: -1, New: size, Status: Added}
		if was, ok := sizes[0][name]; ok {
			f.Old, f.Status = was, Changed
			if was == size {
				total += size
			}
		}
		all = append(all, f)
	}
	for name, size := range sizes[0] {
		if _, ok := sizes[1][name]; !ok {
			all = append(all, File{Name: name, Old: size, New: -1, Status: Removed})
		}
	}
	slices.SortFunc(all, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	tell := func(n int64) {
		if done += n; progress != nil {
			progress(done, total)
		}
	}
	for i := range all {
		f := &all[i]
		if err := ctx.Err(); err != nil {
			return all, err
		}
		if f.Status != Changed || f.Old != f.New {
			continue
		}
		at, err := firstByte(ctx, filepath.Join(old, f.Name), filepath.Join(new, f.Name), tell)
		switch {
		case err != nil && ctx.Err() != nil:
			return all, ctx.Err()
		case err != nil:
			f.Problem = model.OneLine(err.Error(), 200)
		case at < 0:
			f.Status = Same
		default:
			f.At = at
		}
	}
	return movedFiles(ctx, all, old, new)
}

// movedFiles finds files that only have another name.
func movedFiles(ctx context.Context, all []File, old, new string) ([]File, error) {
	removed := map[int64][]int{}
	for i, f := range all {
		if f.Status == Removed && f.Old > 0 {
			removed[f.Old] = append(removed[f.Old], i)
		}
	}
	gone := map[int]bool{}
	for i := range all {
		f := &all[i]
		if f.Status != Added {
			continue
		}
		for k, r := range removed[f.New] {
			at, err := firstByte(ctx, filepath.Join(old, all[r].Name), filepath.Join(new, f.Name), nil)
			if ctx.Err() != nil {
				return all, ctx.Err()
			}
			if err == nil && at < 0 {
				f.Status, f.OldName, f.Old = Moved, all[r].Name, all[r].Old
				gone[r] = true
				removed[f.New] = slices.Delete(removed[f.New], k, k+1)
				break
			}
		}
	}
	var out []File
	for i, f := range all {
		if !gone[i] {
			out = append(out, f)
		}
	}
	return out, nil
}

// listFiles returns the regular files below a folder with their sizes.
func listFiles(ctx context.Context, root string) (map[string]int64, error) {
	files := map[string]int64{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if path == root {
				return err
			}
			return nil // a folder that may not be read has no files for us
		}
		if d.IsDir() && d.Name() == ".git" && path != root {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if len(files) >= filesMost {
			return fmt.Errorf("%s has more than %d files: choose a folder below it", filepath.Base(root), filesMost)
		}
		files[filepath.ToSlash(name)] = info.Size()
		return nil
	})
	return files, err
}

// firstByte returns the first byte in which two files differ, -1 if they are the same.
func firstByte(ctx context.Context, old, new string, tell func(n int64)) (int64, error) {
	a, err := os.Open(old)
	if err != nil {
		return 0, err
	}
	defer a.Close()
	b, err := os.Open(new)
	if err != nil {
		return 0, err
	}
	defer b.Close()
	const part = 256 << 10
	x, y := make([]byte, part), make([]byte, part)
	for at := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, errA := io.ReadFull(a, x)
		m, errB := io.ReadFull(b, y)
		for _, err := range []error{errA, errB} {
			if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
				return 0, err
			}
		}
		if !bytes.Equal(x[:n], y[:m]) {
			for i := range min(n, m) {
				if x[i] != y[i] {
					return at + int64(i), nil
				}
			}
			return at + int64(min(n, m)), nil
		}
		at += int64(n)
		if tell != nil {
			tell(int64(n))
		}
		if n < part {
			return -1, nil
		}
	}
}
