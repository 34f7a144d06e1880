package cli

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"assay/model"
	"assay/model/query"
)

// filtersTopic is what help explains besides verbs and formats.
const filtersTopic = "filters"

type helpCommand struct {
	Topic string `arg:"" optional:"" predictor:"topic" help:"A command, a format, or filters."`
}

// Run prints what --help prints, or the pages of a format.
func (c *helpCommand) Run(s *session, parser *kong.Kong) error {
	switch c.Topic {
	case "":
		s.status = s.again("--help")
		return nil
	case filtersTopic:
		_, err := fmt.Fprint(s.runner.Out, query.Page())
		return err
	}
	for _, verb := range parser.Model.Leaves(false) {
		if verb.Name == c.Topic {
			s.status = s.again(verb.Name, "--help")
			return nil
		}
	}
	known := false
	for _, page := range opener.Pages() {
		if page.Name == c.Topic {
			s.runner.Page(page)
			known = true
		}
	}
	if !known {
		return fmt.Errorf("unknown command or format %s; %s", model.OneLine(c.Topic, 200),
			listOfVerbs(parser, c.Topic))
	}
	return nil
}

// listOfVerbs says which verb may be meant by a mistyped one, and what lists them all.
func listOfVerbs(parser *kong.Kong, mistyped string) string {
	var verbs []string
	for _, verb := range parser.Model.Leaves(false) {
		verbs = append(verbs, verb.Name)
	}
	const list = "assay help lists the verbs"
	if similar := model.SimilarNames(mistyped, verbs); len(similar) > 0 {
		return fmt.Sprintf("did you mean %s? %s", strings.Join(similar, " or "), list)
	}
	return list
}
