package main

import (
	"embed"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"
	"github.com/posener/complete"
)

//go:embed packaging/completions/*
var completionScripts embed.FS

// completionFiles are the scripts of the shells that are known.
var completionFiles = map[string]string{"bash": "assay.bash", "zsh": "_assay", "fish": "assay.fish"}

type completionCommand struct {
	Shell string `arg:"" optional:"" enum:"bash,zsh,fish," default:"" help:"bash, zsh or fish. Default: the one that the environment variable SHELL names."`
}

// Run prints the script of a shell.
func (c *completionCommand) Run(s *session) error {
	shell := c.Shell
	if shell == "" {
		shell = filepath.Base(os.Getenv("SHELL"))
	}
	file, ok := completionFiles[shell]
	if !ok {
		return errors.New("SHELL names none of bash, zsh and fish; name the shell, as in: assay completion bash")
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	script, err := completionScripts.ReadFile("packaging/completions/" + file)
	if err != nil {
		return err
	}
	_, err = io.WriteString(s.runner.Out, callProgram(string(script), program))
	return err
}

// callProgram is a script of a shell that calls the program by its path, if a shell does not find it by its name.
func callProgram(script, program string) string {
	if found, err := exec.LookPath("assay"); err == nil && sameFile(found, program) {
		return script
	}
	quoted := shellQuote(program)
	return strings.NewReplacer("'command assay'", shellQuote(quoted), "command assay", quoted).Replace(script)
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// shellQuote makes one word of a text, for bash, zsh and fish.
func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// answerShell answers a shell that asks what can follow, and then ends the process; else it does nothing.
func answerShell(parser *kong.Kong) {
	var verbs []string
	for _, verb := range parser.Model.Leaves(false) {
		verbs = append(verbs, verb.Name)
	}
	kongcompletion.Register(parser, kongcompletion.WithPredictor("verb", complete.PredictSet(verbs...)))
}
