package model

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// namesRead is how many names of a folder are compared with the name of a file that is missing.
const namesRead = 4096

// namesOffered is how many similar names are offered in place of one that is missing.
const namesOffered = 3

// pathShown is how many characters of the path of a folder are shown.
const pathShown = 1000

// missing says what is wrong with a path that leads to no file, and what may be meant instead.
func missing(path string) string {
	if path == "" {
		return "no file name given"
	}
	name, folder := filepath.Clean(path), filepath.Dir(path)
	what := "no such file"
	for {
		info, err := os.Stat(folder)
		if err == nil && !info.IsDir() {
			return OneLine(folder, pathShown) + " is a file, not a folder"
		}
		if parent := filepath.Dir(folder); err == nil || parent == folder {
			break
		}
		name, folder = folder, filepath.Dir(folder)
		what = "there is no folder " + OneLine(name, pathShown)
	}
	similar := SimilarNames(filepath.Base(name), namesIn(folder))
	if len(similar) == 0 {
		return what + "; check the path"
	}
	for i := range similar {
		similar[i] = OneLine(similar[i], nameShown)
	}
	return what + "; did you mean " + strings.Join(similar, " or ") + "?"
}

func namesIn(folder string) []string {
	f, err := OpenShared(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(namesRead) // what was read before a failure is good enough to offer
	return names
}

// SimilarNames returns those of the names that may be meant by a mistyped one, the most similar first.
func SimilarNames(mistyped string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var all []candidate
	of := strings.ToLower(mistyped)
	length := utf8.RuneCountInString(of)
	most := max(1, min(length/3, 4))
	for _, name := range names {
		lower := strings.ToLower(name)
		distance := most + 1
		if longer := utf8.RuneCountInString(lower) - length; max(longer, -longer) <= most {
			distance = levenshtein.ComputeDistance(of, lower)
		}
		if distance > most && differInExtension(of, lower) {
			distance = most
		}
		if distance <= most {
			all = append(all, candidate{name, distance})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.name, b.name))
	})
	var similar []string
	for _, c := range all[:min(len(all), namesOffered)] {
		if c.distance <= 2*all[0].distance {
			similar = append(similar, c.name)
		}
	}
	return similar
}

// differInExtension reports whether two names are the same but for their extensions, which one of them may lack.
func differInExtension(a, b string) bool {
	stem := func(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }
	return stem(a) != "" && stem(a) == stem(b)
}
