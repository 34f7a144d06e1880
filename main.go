// Assay is a desktop browser for game and simulation asset files. With files as arguments it opens its window; with
// a verb it does one thing without a display.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"assay/formats"
	"assay/model/verbs"
)

// commands is the command line.
type commands struct {
	Tree   treeCommand   `cmd:"" help:"Print the outline of a file."`
	Dump   dumpCommand   `cmd:"" help:"Print the whole decoded content of a file as JSON."`
	Verify verifyCommand `cmd:"" help:"Check structure, coverage and checksums of files."`
}

type treeCommand struct {
	File  string `arg:"" help:"The file."`
	Depth int    `default:"-1" help:"How many levels below the root; all by default."`
}

type dumpCommand struct {
	File string `arg:"" help:"The file."`
}

type verifyCommand struct {
	Files []string `arg:"" name:"file" help:"The files."`
}

// session is what a command runs with, and the exit status it leaves.
type session struct {
	ctx    context.Context
	runner *verbs.Runner
	status int
}

func (c *treeCommand) Run(s *session) error {
	s.status = s.runner.Tree(s.ctx, c.File, c.Depth)
	return nil
}

func (c *dumpCommand) Run(s *session) error {
	s.status = s.runner.Dump(s.ctx, c.File)
	return nil
}

func (c *verifyCommand) Run(s *session) error {
	s.status = s.runner.Verify(s.ctx, c.Files)
	return nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run runs the command line and gives the exit status.
func run(ctx context.Context, args []string, out, talk io.Writer) int {
	s := &session{ctx: ctx, runner: &verbs.Runner{Open: formats.OpenFile, Out: out, Err: talk}}
	var c commands
	exit := -1
	parser, err := kong.New(&c, kong.Name("assay"), kong.Description("A browser for game and simulation asset files."),
		kong.Writers(out, talk), kong.Exit(func(code int) { exit = code }), kong.UsageOnError())
	if err != nil {
		panic(err) // the command line's own tags are wrong: no input leads here
	}
	k, err := parser.Parse(args)
	if exit >= 0 {
		return exit
	}
	if err != nil {
		parser.Errorf("%s", err)
		return verbs.Trouble
	}
	if err := k.Run(s); err != nil {
		parser.Errorf("%s", err)
		return verbs.Trouble
	}
	return s.status
}
