// Assay is a desktop browser for game and simulation asset files. With files as arguments it opens its window; with
// a verb it does one thing without a display.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"github.com/alecthomas/kong"

	"assay/model/verbs"
	_ "assay/ui/window/locale" // before the toolkit looks at it
)

const about = `A browser for game and simulation asset files.

It shows the structure of a file as a tree, every byte of it, and each value decoded; takes assets out; and puts two versions side by side. Without a verb it opens its window.

A file named - is the standard input, for every verb that opens no window, and a pipe such as <(command) is read to its end, too; a file that has the name of a verb is written ./NAME.

` + exitStatus

// commands is the command line.
type commands struct {
	Open    openCommand    `cmd:"" default:"withargs" help:"Open the window, on files or empty. This runs if no verb is named."`
	Tree    treeCommand    `cmd:"" help:"Print the outline of a file."`
	Dump    dumpCommand    `cmd:"" help:"Print the whole decoded content of a file as JSON."`
	Verify  verifyCommand  `cmd:"" help:"Check structure, coverage and checksums of files, or of all files in folders."`
	Find    findCommand    `cmd:"" help:"Find names, values of fields, texts or bytes in files, folders and packages. Exit status 0: found, 1: not found, 2: trouble."`
	Graph   graphCommand   `cmd:"" help:"Print who uses what in a folder or a package, what is missing, what nobody refers to, and what is there twice."`
	Extract extractCommand `cmd:"" help:"Write the assets of files into a folder."`
	Pack    packCommand    `cmd:"" help:"Write a package of the files in a folder, or of packages one over the other."`
	Patch   patchCommand   `cmd:"" help:"Write a package of what was added or changed between two packages, to be loaded over the old one."`
	Merge   mergeCommand   `cmd:"" help:"Make one file of two versions and the one that both were made from: packages asset by asset, texts by their lines. Exit status 1: there are conflicts, and nothing is written."`
	Diff    diffCommand    `cmd:"" help:"Compare two files, or the files of two folders. Exit status 0: same, 1: different, 2: trouble."`
	Compare compareCommand `cmd:"" help:"Open the window on a comparison of two files or folders, or of two versions with the one that both were made from."`

	Mergetool mergetoolCommand `cmd:"" help:"Open the window on three versions, and write what is taken of them: for git mergetool."`

	GitSetup gitSetupCommand `cmd:"" name:"git-setup" help:"Have git show changes of the files that Assay reads as text, and compare them in the window."`

	Notes notesCommand `cmd:"" help:"List the notes that were made in the window, on a file or on all, or import notes."`

	Thumbnail thumbnailCommand `cmd:"" help:"Write a picture of a file, as file managers show it. Exit status 2: there is nothing to draw."`

	Formats formatsCommand `cmd:"" help:"List the formats that files can be read as."`

	Register   registerCommand   `cmd:"" help:"Tell the desktop of this user the file types, icons and thumbnails of Assay."`
	Unregister unregisterCommand `cmd:"" help:"Remove what register wrote."`

	Help helpCommand `cmd:"" help:"Print what the program or one of its verbs is for, what the fields of a format mean, or how filters are written."`

	Completion completionCommand `cmd:"" help:"Print the script that has bash, zsh or fish complete verbs, flags and files."`

	Version kong.VersionFlag `help:"Print the version."`
	Man     manFlag          `help:"Print the manual page."`
}

// session is what a command runs with, and the exit status it leaves.
type session struct {
	ctx    context.Context
	runner *verbs.Runner
	again  func(args ...string) int // runs another command line
	colour bool                     // the result goes to a terminal that shows colours
	status int
	failed sync.Once
}

// fail says, once, why a command could not do its work, and returns the exit status.
func (s *session) fail(err error) int {
	if out, ok := s.runner.Out.(*verbs.Output); ok && out.Err() != nil && errors.Is(err, out.Err()) {
		return verbs.Trouble // run reports it
	}
	s.failed.Do(func() { fmt.Fprintf(s.runner.Err, "assay: %v\n", err) })
	return verbs.Trouble
}

func main() {
	// Whoever reads the result may stop: then a write fails, and the verb ends with a message and not by the signal.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl+C ends the program at once
	talk, show := console()
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, talk)
	stop()
	show(status)
	os.Exit(status)
}

// run runs the command line and returns the exit status. A result that could not be written in full is trouble,
// whatever printed it.
func run(ctx context.Context, args []string, in io.Reader, out, talk io.Writer) int {
	result := verbs.NewOutput(out)
	status := runLine(ctx, args, in, result, talk, colourful(out))
	if err := result.Err(); err != nil {
		fmt.Fprintf(talk, "assay: %v\n", err)
		return verbs.Trouble
	}
	return status
}

// runLine runs the command line and returns the exit status.
func runLine(ctx context.Context, args []string, in io.Reader, out, talk io.Writer, colour bool) int {
	s := &session{ctx: ctx,
		runner: &verbs.Runner{Open: opener.OpenFile, OpenSource: opener.Open, OpenStream: opener.Open, In: in, Out: out,
			Err: talk},
		again: func(args ...string) int { return runLine(ctx, args, in, out, talk, colour) }, colour: colour}
	var c commands
	exit := -1
	parser, err := kong.New(&c, append([]kong.Option{kong.Name("assay"), kong.Description(about),
		kong.Writers(out, talk), kong.Exit(func(code int) { exit = code }),
		kong.Vars{"version": "assay " + release()}}, valueKinds...)...)
	if err != nil {
		panic(err) // the command line's own tags are wrong: no input leads here
	}
	explain(parser.Model)
	answerShell(parser)
	k, err := parser.Parse(args)
	if exit >= 0 {
		return exit
	}
	if err != nil {
		fmt.Fprintf(talk, "assay: %s\n", misuse(err))
		return verbs.Trouble
	}
	if err := k.Run(s, parser); err != nil {
		return s.fail(err)
	}
	return s.status
}

// misuse says what is wrong with a command line, and what explains how to write it.
func misuse(err error) string {
	text := strings.ReplaceAll(err.Error(), `,""`, "") // an option that may be empty is not one that people write
	if missing, ok := strings.CutPrefix(text, "expected \"<"); ok {
		text = "an argument is missing: <" + strings.TrimSuffix(missing, `"`)
	}
	var parse *kong.ParseError
	if errors.As(err, &parse) && len(parse.Context.Path) > 1 && parse.Context.Selected() != nil {
		return text + " (assay help " + parse.Context.Selected().Name + " explains it)"
	}
	return text + " (assay help lists the verbs)"
}

// colourful reports whether out is a terminal that shows colours, and plain text was not asked for (no-color.org).
func colourful(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && showsColours(f)
}
