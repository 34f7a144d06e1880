package menu

import "unicode"

// letters chooses for each label the position of the rune that is underlined and chooses it: the first letter of a word
// if it is free, else any letter; -1 where none is left. The labels that come first choose first.
func letters(labels []string) []int {
	taken := map[rune]bool{}
	all := make([]int, len(labels))
	for i, label := range labels {
		all[i] = free([]rune(label), taken)
		if all[i] >= 0 {
			taken[letterAt(label, all[i])] = true
		}
	}
	return all
}

func free(label []rune, taken map[rune]bool) int {
	for _, inside := range []bool{false, true} {
		for i, r := range label {
			begins := i == 0 || !isLetter(label[i-1])
			if isLetter(r) && (begins || inside) && !taken[unicode.ToLower(r)] {
				return i
			}
		}
	}
	return -1
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// letterAt is the letter at a position of a label, small; 0 where there is none.
func letterAt(label string, at int) rune {
	if runes := []rune(label); at >= 0 && at < len(runes) {
		return unicode.ToLower(runes[at])
	}
	return 0
}
