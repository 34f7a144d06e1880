package git

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay/model"
)

// Revision is a commit that changed a file.
type Revision struct {
	Hash    string
	Date    time.Time
	Author  string
	Subject string
	Path    string // of the file at that time, from the top of the repository
}

// Short is the beginning of the hash, by which people name the commit.
func (r Revision) Short() string { return r.Hash[:min(8, len(r.Hash))] }

// revisionsMost is how many revisions of a file are listed.
const revisionsMost = 1000

// Revisions returns the commits that changed a file, the latest first, also under names that it had before.
func Revisions(ctx context.Context, path string) ([]Revision, error) {
	folder, name := place(path)
	var out bytes.Buffer
	err := run(ctx, folder, &out, "log", "--follow", "--no-show-signature", "--max-count="+strconv.Itoa(revisionsMost),
		"-z", "--name-only", "--format=%x01%H%x02%ct%x02%an%x02%s", "--", name)
	if err != nil {
		return nil, headError(ctx, folder, name, err)
	}
	all := parseLog(out.String())
	if len(all) == 0 {
		return nil, fmt.Errorf("%s was never committed to git", name)
	}
	return all, nil
}

// parseLog reads what git log prints: for each commit fields, then the path.
func parseLog(out string) []Revision {
	var all []Revision
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
		all = append(all, Revision{Hash: f[0], Date: time.Unix(seconds, 0), Author: f[2], Subject: f[3],
			Path: strings.Trim(path, "\x00\n")})
	}
	return all
}

// At opens the version of a file in a revision, as it is stored.
func At(ctx context.Context, path string, r Revision) (*model.Source, error) {
	folder, name := place(path)
	object := r.Hash + ":./" + name
	if r.Path != "" {
		object = r.Hash + ":" + r.Path
	}
	return open(ctx, folder, name, object, Version(path, r.Hash))
}
