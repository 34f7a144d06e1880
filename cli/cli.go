// Package cli implements the command line: a table of commands with their flags. Each file contains related commands.
// Commands without a display write their result to Out and their messages to Err. The exit status is 0 if all is well;
// 1 if something is damaged, missing, or could not be written in full (everything readable is printed or written); 2 if
// a file could not be read, the output could not be written, or the command line is invalid; ExitClosedPipe if the
// reader of the output ended first. Notes and guesses do not affect it. Diff, find and merge use 1 for differences, no
// match and conflicts. The output depends neither on the time nor, except for the paths in it, on the folder of a file.
// A file named "-" is the standard input.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	_ "assay/ui/window/locale" // before the toolkit reads it
)

const about = `A browser for game and simulation asset files.

Assay shows the structure, bytes, and decoded values of a file, exports its assets, and compares versions. Without a command, it opens its window.

Commands that do not open a window read standard input if the file is -, and accept pipes such as <(command). To open a file named like a command, write ./NAME.

` + exitStatusText

// commands is the command line.
type commands struct {
	Open    openCommand    `cmd:"" default:"withargs" help:"Open the window, optionally with files. This is the default command."`
	Tree    treeCommand    `cmd:"" help:"Print the outline of a file."`
	Dump    dumpCommand    `cmd:"" help:"Print the decoded content of a file as JSON."`
	Verify  verifyCommand  `cmd:"" help:"Check the structure and checksums of files or folders."`
	Find    findCommand    `cmd:"" help:"Search files, folders, and packages for text, names, field values, or bytes. Exit status: 0 found, 1 not found, 2 error."`
	Graph   graphCommand   `cmd:"" help:"List dependencies in a folder or package: references, missing files, unused files, and duplicates."`
	Extract extractCommand `cmd:"" help:"Export the assets of files to a folder."`
	Pack    packCommand    `cmd:"" help:"Create a package from a folder, or merge packages in load order."`
	Patch   patchCommand   `cmd:"" help:"Create a patch package with the assets that were added or changed between two packages."`
	Merge   mergeCommand   `cmd:"" help:"Three-way merge of packages (by asset) or text files (by line). Exit status 1: conflicts; nothing is written."`
	Diff    diffCommand    `cmd:"" help:"Compare two files or folders. Exit status: 0 no differences, 1 differences, 2 error."`
	Compare compareCommand `cmd:"" help:"Compare two files or folders, or three versions, in the window."`

	Mergetool mergetoolCommand `cmd:"" help:"Resolve merge conflicts in the window (for git mergetool)."`

	GitSetup gitSetupCommand `cmd:"" name:"git-setup" help:"Configure Git to show asset changes as text and to use Assay as diff and merge tool."`

	Notes notesCommand `cmd:"" help:"List, export, or import notes."`

	Thumbnail thumbnailCommand `cmd:"" help:"Create a thumbnail of a file. Exit status 2: nothing to draw."`

	Formats formatsCommand `cmd:"" help:"List supported formats."`

	Register   registerCommand   `cmd:"" help:"Register file types, icons, and thumbnails with the desktop."`
	Unregister unregisterCommand `cmd:"" help:"Undo register."`

	Help helpCommand `cmd:"" help:"Explain a command, the fields of a format, or the filter syntax."`

	Completion completionCommand `cmd:"" help:"Print the completion script for bash, zsh, or fish."`

	Version kong.VersionFlag `help:"Print the version."`
	Man     manFlag          `help:"Print the manual page."`
}

// Main runs the command line of this process, and returns its exit status. linkedVersion is the version that the linker
// set.
func Main(linkedVersion string) int {
	version = linkedVersion
	// If the reader of a pipe stops, the write fails, and the command ends and removes its temporary files.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl+C ends the program at once
	messages, display := console()
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, messages)
	stop()
	display(status)
	return status
}

// run runs the command line and returns the exit status, which is ExitError or ExitClosedPipe if the result could not
// be written in full.
func run(ctx context.Context, args []string, in io.Reader, out, messages io.Writer) int {
	result := NewOutput(out)
	status := runLine(ctx, args, in, result, messages, supportsColor(out))
	if err := result.Err(); errors.Is(err, errClosedPipe) {
		return ExitClosedPipe
	} else if err != nil {
		fmt.Fprintf(messages, "assay: %v\n", err)
		return ExitError
	}
	return status
}

// runLine runs the command line and returns the exit status.
func runLine(ctx context.Context, args []string, in io.Reader, out, messages io.Writer, color bool) int {
	s := &session{ctx: ctx,
		runner: &Runner{Open: opener.OpenFile, OpenSource: opener.Open, OpenStream: opener.Open, In: in, Out: out,
			Err: messages, color: color},
		runAgain: func(args ...string) int { return runLine(ctx, args, in, out, messages, color) }}
	var c commands
	exit := -1
	parser, err := kong.New(&c, append([]kong.Option{kong.Name("assay"), kong.Description(about),
		kong.Writers(out, messages), kong.Exit(func(code int) { exit = code }),
		kong.Vars{"version": "assay " + release()}}, valueMappers...)...)
	if err != nil {
		panic(err) // the tags of commands are wrong: no input causes this
	}
	addExamples(parser.Model)
	answerCompletion(parser)
	k, err := parser.Parse(args)
	if exit >= 0 {
		return exit
	}
	switch {
	case isOutputError(err, out):
		return ExitError
	case err != nil:
		fmt.Fprintf(messages, "assay: %s\n", usageError(err))
		return ExitError
	}
	if err := k.Run(s, parser); err != nil {
		return s.fail(err)
	}
	return s.status
}

// noValue is kong's message for a flag without a value.
var noValue = regexp.MustCompile(`expected \w+ value but got "[^"]*" \([^)]*\)|missing value, expecting "[^"]*"`)

// usageError returns the error message for an invalid command line, with the help command that explains its syntax.
func usageError(err error) string {
	text := strings.ReplaceAll(err.Error(), `,""`, "") // omit the empty value of an option
	text = strings.Replace(noValue.ReplaceAllString(text, "the value is missing"), "; perhaps try ", "; did you mean ", 1)
	if missing, ok := strings.CutPrefix(text, "expected \"<"); ok {
		text = "missing argument: <" + strings.TrimSuffix(missing, `"`)
	}
	var parse *kong.ParseError
	if errors.As(err, &parse) && len(parse.Context.Path) > 1 && parse.Context.Selected() != nil {
		return text + " (see assay help " + parse.Context.Selected().Name + ")"
	}
	return text + " (see assay help)"
}

// supportsColor reports whether out is a terminal that displays colors, unless the user disabled them (no-color.org).
func supportsColor(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && showsColors(f)
}

// version is the argument of Main: the linker sets it in package main (-X main.version=1.2.3).
var version string

// release returns the version to print; in tests it is unknown.
func release() string { return cmp.Or(version, "unknown") }
