package git

import (
	"bytes"
	"context"
	"os"
	"strings"
)

// Index is what the version of a file is called that is to be committed next.
const Index = "index"

// Names returns what people call versions of the file at path, which git wrote into files for a difftool: the working
// tree, the index, HEAD, or the commit that the version came with; empty where git cannot say.
func Names(ctx context.Context, path string, versions []string) []string {
	folder, name := place(path)
	names := make([]string, len(versions))
	for i, version := range versions {
		if sameFile(path, version) {
			names[i] = "working tree"
			continue
		}
		hash := answer(ctx, folder, "hash-object", "--no-filters", "--", version)
		if hash == "" {
			continue
		}
		for _, known := range [][2]string{{"HEAD", "HEAD:./"}, {Index, ":./"}} {
			if answer(ctx, folder, "rev-parse", "--verify", "-q", known[1]+name) == hash {
				names[i] = known[0]
				break
			}
		}
		if names[i] == "" { // of the commits that brought or replaced the version, the first brought it
			all := strings.Fields(answer(ctx, folder, "log", "--format=%h", "--find-object="+hash, "--", name))
			if len(all) > 0 {
				names[i] = all[len(all)-1]
			}
		}
	}
	return names
}

// MergeNames returns what people call the three versions of the file at path that git merges: of a branch its name,
// else the beginning of the hash of a commit.
func MergeNames(ctx context.Context, path string) (base, mine, theirs string) {
	folder, _ := place(path)
	commit := func(of string) string { return answer(ctx, folder, "rev-parse", "-q", "--verify", "--short", of) }
	base, mine, theirs = "base", "mine", "theirs"
	if branch := answer(ctx, folder, "symbolic-ref", "-q", "--short", "HEAD"); branch != "" {
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
		if name := answer(ctx, folder, "name-rev", "--name-only", "--no-undefined", "--refs=refs/heads/*", head); name != "" &&
			!strings.ContainsAny(name, "~^") {
			theirs = strings.TrimPrefix(name, "heads/")
		}
		if common := answer(ctx, folder, "merge-base", "HEAD", head); common != "" {
			base = commit(common)
		}
		break
	}
	return base, mine, theirs
}

// answer is what a command prints; empty if it fails.
func answer(ctx context.Context, folder string, args ...string) string {
	var out bytes.Buffer
	if run(ctx, folder, &out, args...) != nil {
		return ""
	}
	return strings.TrimSpace(out.String())
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}
