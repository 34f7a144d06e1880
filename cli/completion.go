package cli

import (
	"context"
	"embed"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"
	"github.com/posener/complete"

	"assay/formats"
	"assay/model"
	"assay/model/export"
	"assay/model/find"
)

//go:embed completions/*
var completionScripts embed.FS

// completionFiles are the completion scripts of the supported shells.
var completionFiles = map[string]string{"bash": "assay.bash", "zsh": "_assay", "fish": "assay.fish"}

type completionCommand struct {
	Shell string `arg:"" optional:"" enum:"bash,zsh,fish," default:"" help:"bash, zsh, or fish. Default: the shell in $SHELL."`
}

// Run prints the completion script of a shell.
func (c *completionCommand) Run(s *session) error {
	shell := c.Shell
	if shell == "" {
		shell = filepath.Base(os.Getenv("SHELL"))
	}
	file, ok := completionFiles[shell]
	if !ok {
		return errors.New("cannot detect the shell from SHELL; name it, as in: assay completion bash")
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	script, err := completionScripts.ReadFile("completions/" + file)
	if err != nil {
		return err
	}
	_, err = io.WriteString(s.runner.Out, scriptFor(string(script), program))
	return err
}

// scriptFor changes a completion script so that it calls the program by its path, if the shell would not find it by its
// name.
func scriptFor(script, program string) string {
	if found, err := exec.LookPath("assay"); err == nil && model.IsSameFile(found, program) {
		return script
	}
	quoted := shellQuote(program)
	return strings.NewReplacer("'command assay'", shellQuote(quoted), "command assay", quoted).Replace(script)
}

// shellQuote quotes a text as one word for bash, zsh and fish.
func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// answerCompletion answers the request of a shell for completions, and ends the process. Without a request it does
// nothing.
func answerCompletion(parser *kong.Kong) {
	names := []string{filtersTopic}
	for _, command := range parser.Model.Leaves(false) {
		names = append(names, command.Name)
	}
	for _, f := range formats.All() {
		names = append(names, f.Name)
	}
	kongcompletion.Register(parser, kongcompletion.WithPredictor("topic", complete.PredictSet(names...)),
		kongcompletion.WithPredictor("form", complete.PredictFunc(predictForms)),
		kongcompletion.WithPredictor("path", complete.PredictFunc(predictPaths)),
		kongcompletion.WithPredictor("field", complete.PredictFunc(predictFields)),
		kongcompletion.WithPredictor("preset", complete.PredictFunc(predictPresets)))
}

// The maximum number of words offered to a shell, and the time limit for reading a file for them.
const (
	maxOfferedWords = 500
	predictTimeout  = 3 * time.Second
)

// predict calls do with each file on the command line that can be opened, and returns the words that do passes to
// offer.
func predict(line complete.Args, do func(d *model.Document, offer func(word string))) (words []string) {
	ctx, cancel := context.WithTimeout(context.Background(), predictTimeout)
	defer cancel()
	known := make(map[string]bool)
	offer := func(word string) {
		if !known[word] && len(words) < maxOfferedWords && !strings.ContainsAny(word, " \t\n'\"\\") {
			known[word] = true
			words = append(words, word)
		}
	}
	for _, arg := range line.All {
		if info, err := os.Stat(arg); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if d, err := opener.OpenFile(ctx, arg); err == nil {
			do(d, offer)
			d.Source.Close()
		}
	}
	return words
}

// predictForms returns the export forms of assets of the files.
func predictForms(line complete.Args) []string {
	return predict(line, func(d *model.Document, offer func(string)) {
		if d.Payloads == nil {
			return
		}
		for i := range min(d.Payloads.Len(), maxOfferedWords) {
			for _, form := range export.FormNames(d.Payloads.At(i)) {
				offer(form)
			}
		}
	})
}

// predictPaths returns the paths of the children of the node whose path ends at the last slash of the word. For an
// empty word it returns the root.
func predictPaths(line complete.Args) []string {
	parent, _ := path.Split(line.Last)
	if parent == "" {
		return []string{"/"}
	}
	return predict(line, func(d *model.Document, offer func(string)) {
		n, err := d.Find(strings.TrimSuffix(parent, "/"))
		if err != nil {
			return
		}
		for i := range min(n.Len(), maxOfferedWords) {
			offer(n.Child(i).NamePath())
		}
	})
}

// predictFields returns the names of fields of the files.
func predictFields(line complete.Args) []string {
	return predict(line, func(d *model.Document, offer func(string)) {
		for _, name := range find.FieldNames(d) {
			offer(name)
		}
	})
}

// predictPresets returns the names of the presets.
func predictPresets(complete.Args) []string {
	saved, err := export.LoadPresets(export.PresetFile())
	if err != nil {
		return nil
	}
	return saved.Names()
}
