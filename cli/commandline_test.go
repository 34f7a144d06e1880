package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/adrg/xdg"
	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
	"assay/formats"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/ui/desktop"
)

var update = flag.Bool("update", false, "write the lists in docs/ that come from the program")

// commandModel returns kong's model of the command line.
func commandModel(t *testing.T) *kong.Application {
	t.Helper()
	parser, err := kong.New(new(commands), kong.Vars{"version": ""})
	require.NoError(t, err)
	return parser.Model
}

// ownFlags returns the flags of a command without those that all commands have.
func ownFlags(verb *kong.Node) (flags []*kong.Flag) {
	for _, f := range verb.Flags {
		if f.Name != "help" {
			flags = append(flags, f)
		}
	}
	return flags
}

// synopsis returns a command with its arguments and flags.
func synopsis(verb *kong.Node) string {
	words := []string{"assay", verb.Name}
	for _, p := range verb.Positional {
		word := strings.ToUpper(p.Name)
		if _, many := p.Target.Interface().([]string); many {
			word += "..."
		}
		if !p.Required {
			word = "[" + word + "]"
		}
		words = append(words, word)
	}
	for _, f := range ownFlags(verb) {
		word := "--" + f.Name
		if f.Short != 0 {
			word = "-" + string(f.Short)
		}
		switch {
		case f.IsBool():
		case f.Enum != "":
			word += " " + strings.Trim(strings.ReplaceAll(f.Enum, ",", "|"), "|")
		case f.PlaceHolder != "":
			word += " " + f.PlaceHolder
		default:
			word += " N"
		}
		words = append(words, "["+word+"]")
	}
	var b strings.Builder
	column := 0
	for i, w := range words {
		if i > 0 && column+1+len(w) > 110 {
			b.WriteString("\n           ")
			column = 11
		}
		b.WriteString(" " + w)
		column += 1 + len(w)
	}
	return strings.TrimSpace(b.String())
}

func TestDocumentsListTheCommandLine(t *testing.T) {
	var want strings.Builder
	for _, verb := range commandModel(t).Leaves(false) {
		fmt.Fprintf(&want, "    %s\n        %s\n", synopsis(verb), verb.Help)
	}
	checkList(t, "docs/commands.md", "verbs", want.String())
}

func TestManualListsTheCommandLine(t *testing.T) {
	status, manual, _ := do(t, "--man")
	require.Zero(t, status)
	manual = strings.ReplaceAll(manual, `\-`, "-")
	for _, verb := range commandModel(t).Leaves(false) {
		assert.Contains(t, manual, `\fB`+verb.Name+" ")
		for _, f := range ownFlags(verb) {
			assert.Contains(t, manual, "--"+f.Name, verb.Name)
		}
	}
	for _, section := range []string{"EXIT STATUS", "FILES", "EXAMPLES"} {
		assert.Contains(t, manual, "\n.SH "+section+"\n")
	}
	status, out, _ := do(t, "--version")
	assert.Zero(t, status)
	assert.Equal(t, "assay "+release()+"\n", out)
}

// TestShellsCompleteTheCommandLine tests the completions that the program offers to shells (cli/completions).
func TestShellsCompleteTheCommandLine(t *testing.T) {
	program := buildWithoutWindow(t)
	complete := func(line string) []string {
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), "COMP_LINE="+line, fmt.Sprintf("COMP_POINT=%d", len(line)))
		out, err := cmd.Output()
		require.NoError(t, err)
		return strings.Fields(string(out))
	}
	verbs := complete("assay ")
	for _, verb := range commandModel(t).Leaves(false) {
		assert.Contains(t, verbs, verb.Name)
		flags := complete("assay " + verb.Name + " --")
		for _, f := range ownFlags(verb) {
			assert.Contains(t, flags, "--"+f.Name, verb.Name)
		}
	}

	// Values of flags are completed from the files on the command line.
	duck := filepath.Join(t.TempDir(), "duck.gpb")
	require.NoError(t, os.WriteFile(duck, assets.Samples()[0].Bytes, 0o600))
	assert.Subset(t, complete("assay extract "+duck+" --as "), []string{"glb", "obj", "json", "raw"})
	assert.NotContains(t, complete("assay extract "+duck+" --as g"), "obj")
	assert.Contains(t, complete("assay extract --only "), "/")
	only := complete("assay extract " + duck + " --only ")
	assert.NotEmpty(t, only)
	assert.Subset(t, complete("assay dump "+duck+" --only /"), []string{"/version", "/meshes"})
	assert.NotEmpty(t, complete("assay dump "+duck+" --only /meshes/"))
	assert.Contains(t, complete("assay diff "+duck+" "+duck+" --ignore ver"), "version")
}

func TestHelpPrintsHelp(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("help", []byte(emptyBundle), 0o600))
	status, out, messages := do(t, "help")
	assert.Zero(t, status)
	assert.Empty(t, messages)
	assert.Contains(t, out, "read standard input if the file is -")
	for _, verb := range commandModel(t).Leaves(false) {
		_, same, _ := do(t, verb.Name, "--help")
		status, out, messages := do(t, "help", verb.Name)
		assert.Zero(t, status)
		assert.Empty(t, messages)
		assert.Contains(t, out, "Usage: assay "+verb.Name)
		assert.Contains(t, out, "\nExample: ", "each verb has an example")
		assert.Equal(t, same, out)
	}
	status, out, messages = do(t, "help", "nonsense")
	assert.Equal(t, 2, status)
	assert.Empty(t, out)
	assert.Equal(t, "assay: unknown command or format nonsense; run assay help to list the commands\n", messages)
	status, out, _ = do(t, "tree", "./help")
	assert.Zero(t, status)
	assert.Contains(t, out, "gpb 1.2", "a file named help is ./help")
}

func TestHelpPrintsThePagesOfAFormat(t *testing.T) {
	for _, f := range formats.All() {
		status, out, messages := do(t, "help", f.Name)
		assert.Zero(t, status)
		assert.Empty(t, messages)
		assert.Contains(t, out, f.Page().Title+"\n\n")
	}
	_, out, _ := do(t, "help", "gpb")
	assert.Contains(t, out, "  lightType\n      Directional, point, or spot.")
	assert.Contains(t, out, "         0x2 2      point\n", "the values of an enum")
	assert.Contains(t, out, "    namespace id : parent\n    {\n", "an example keeps its lines")
	for line := range strings.Lines(out) {
		assert.LessOrEqual(t, len([]rune(line)), 101, line)
	}
}

func TestMistypedCommandsAreExplained(t *testing.T) {
	t.Chdir(t.TempDir())
	status, _, messages := do(t, "verfy", "a.gpb")
	assert.Equal(t, 2, status)
	assert.Equal(t, "assay: verfy is not a command and not a file; did you mean verify? run assay help to list the commands\n", messages)
	for _, test := range [][2]string{
		{"help filter", "unknown command or format filter; did you mean filters? run assay help to list the commands"},
		{"help gp", "unknown command or format gp; did you mean gpb? run assay help to list the commands"},
		{"dump x --only", "--only: the value is missing (see assay help dump)"},
		{"merge a b c --take", "--take: the value is missing (see assay help merge)"},
		{"tree --depth -1 x", `--depth: the value is missing; did you mean --depth="-1"? (see assay help tree)`},
	} {
		status, _, messages = do(t, strings.Fields(test[0])...)
		assert.Equal(t, 2, status)
		assert.Equal(t, "assay: "+test[1]+"\n", messages)
	}
	assert.False(t, isMistyped("a.gpb"))
	assert.False(t, isMistyped("/nowhere/a"))
	require.NoError(t, os.WriteFile("level", nil, 0o600))
	assert.False(t, isMistyped("level"))
}

func TestCommandsReadTheStandardInput(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "out.png")
	world := string(cube(t, 3))
	for _, c := range []struct {
		args   []string
		in     string
		status int
		want   string
	}{
		{[]string{"tree", "-"}, emptyBundle, 0, "gpb 1.2, 23 bytes"},
		{[]string{"dump", "-"}, emptyBundle, 0, `"format":"gpb"`},
		{[]string{"verify", "-"}, emptyBundle, 0, "-: gpb 1.2, 23 bytes, 100% decoded\nOK\n"},
		{[]string{"verify", "-r", "-"}, emptyBundle, 0, "-: gpb 1.2"},
		{[]string{"verify", "-"}, emptyBundle[:14], 1, "count needs 4 bytes"},
		{[]string{"extract", "--list", "-"}, world, 0, "stdin"},
		{[]string{"diff", file(t, "a.gpb", emptyBundle), "-"}, emptyBundle, 0, ""},
		{[]string{"diff", "-", file(t, "a.gpb", emptyBundle)}, emptyBundle[:14], 1, "objectCount"},
		{[]string{"diff", "-", "-"}, emptyBundle, 2, "the standard input (-) can be read only once"},
		{[]string{"thumbnail", "-", picture}, world, 0, ""},
		{[]string{"tree", "-"}, "", 1, "it is empty"},
		{[]string{"open", "-"}, emptyBundle, 2, "the window cannot open standard input (-)"},
	} {
		status, out, messages := doWith(strings.NewReader(c.in), c.args...)
		assert.Equal(t, c.status, status, "%s: %s", c.args, messages)
		assert.Contains(t, out+messages, c.want, c.args)
	}
	assert.FileExists(t, picture)
}

func TestOnlySelectsNodesByPathKeyAndFilter(t *testing.T) {
	duck := filepath.Join("assets", "samples", "duck.gpb")
	status, out, _ := do(t, "tree", "--no-offsets", "--only", "/objects/0", "--depth", "0", duck)
	assert.Zero(t, status)
	assert.Equal(t, "[Scene] __SCENE__\n", out)
	_, whole, _ := do(t, "tree", "--no-offsets", duck)
	assert.NotContains(t, whole, " @ 0x")
	_, whole, _ = do(t, "tree", duck)
	assert.Contains(t, whole, " @ 0x")

	status, out, _ = do(t, "dump", "--only", "/version", duck)
	assert.Zero(t, status)
	var node struct{ Name, Symbol string }
	require.NoError(t, json.Unmarshal([]byte(out), &node))
	assert.Equal(t, "version", node.Name)
	_, byPath, _ := do(t, "dump", "--only", "/objects/0/nodes/0", duck)
	_, byKey, _ := do(t, "dump", "--only", "duck", duck)
	assert.Equal(t, byPath, byKey)

	status, out, _ = do(t, "tree", "--no-offsets", "--depth", "0", "--only", "type = Mesh size > 10 KB", duck)
	assert.Zero(t, status)
	assert.Equal(t, "[Mesh] duckShape\n", out)
	_, byFilter, _ := do(t, "dump", "--only", "size < 10 /version", duck)
	assert.Equal(t, node.Name, "version")
	_, byPath, _ = do(t, "dump", "--only", "/version", duck)
	assert.Equal(t, byPath, byFilter)

	for _, where := range []string{"/nothing/here", "no key"} {
		for _, verb := range []string{"tree", "dump"} {
			status, out, messages := do(t, verb, "--only", where, duck)
			assert.Equal(t, 2, status)
			assert.Empty(t, out)
			assert.Contains(t, messages, "assay tree")
		}
	}
	status, _, messages := do(t, "tree", "--only", "size > 1 GB", duck)
	assert.Equal(t, 2, status)
	assert.Contains(t, messages, "no matches for size > 1 GB")
	status, _, messages = do(t, "tree", "--only", "size > big", duck)
	assert.Equal(t, 2, status)
	assert.Contains(t, messages, `"big" is not one`)
}

func TestErrorsHaveThePathAsItWasGiven(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("sub/folder", 0o700))
	require.NoError(t, os.WriteFile("a.gpb", []byte(emptyBundle), 0o600))
	for _, s := range assets.Samples() {
		if s.Name == "duck.gpb" {
			require.NoError(t, os.WriteFile(s.Name, s.Bytes, 0o600))
		}
	}
	for _, c := range []struct{ args, want string }{
		{"tree sub/no.gpb", "sub/no.gpb cannot be opened: no such file; check the path"},
		{"dump a.gbp", "a.gbp cannot be opened: no such file; did you mean a.gpb?"},
		{"verify no/a.gpb", "no/a.gpb cannot be opened: there is no folder no"},
		{"verify -r sob", "sob cannot be opened: no such file; did you mean sub?"},
		{"extract a.gpb/b", "a.gpb/b cannot be opened: a.gpb is a file, not a folder"},
		{"extract a.gpb -o a.gpb", "a.gpb is a file; choose a folder"},
		{"thumbnail b.gpb out.png", "b.gpb cannot be opened: no such file; did you mean a.gpb?"},
		{"thumbnail duck.gpb no/out.png", "no/out.png cannot be written: the folder no does not exist; create it"},
		{"thumbnail duck.gpb duck.gpb/out.png", "duck.gpb/out.png cannot be written: duck.gpb is a file"},
		{"thumbnail duck.gpb sub", "sub cannot be written: it is a folder; choose a file in it"},
		{"diff sub no", "no cannot be opened: no such file"},
		{"diff no sub", "no cannot be opened: no such file"},
		{"dump ./sub", "./sub is a folder: choose a file in it"},
		{"verify sub", "sub is a folder: use -r to include its files"},
		{"extract sub", "sub is a folder: use -r to include its files"},
		{"thumbnail sub out.png", "sub is a folder: choose a file in it"},
		{"thumbnail ./a.gpb sub/out.png", "./a.gpb: nothing to draw"},
		{"diff a.gpb sub", "cannot compare a folder (sub) with a file (a.gpb)"},
		{"diff a.gpb sub/../no", "sub/../no cannot be opened: "},
		{"tree --depht 3 a.gpb", "unknown flag --depht"},
		{"tree --depht 3 a.gpb", "(see assay help tree)"},
		{"--depht 3", "(see assay help)"},
		{"diff a.gpb", "missing argument: <new> (see assay help diff)"},
		{"extract a.gpb --limit lots", "--limit: lots is not a size, such as 500000, 64MB or 1GiB"},
		{"extract a.gpb --limit 0", "--limit: 0 is not a size"},
		{"thumbnail a.gpb out.png -s big", "--size: big is not a whole number"},
		{"diff a.gpb a.gpb --tolerance little", "--tolerance: little is not a number, such as 0.001"},
		{"diff a.gpb a.gpb --limit=-3", "--limit must be 1 or more, not -3"},
		{"extract duck.gpb --as bogus", "cannot export as bogus; available: "},
		{"extract a.gpb --conflict ask", `--conflict must be one of "number","skip","overwrite" but got "ask"`},
	} {
		status, _, messages := do(t, strings.Fields(c.args)...)
		assert.Equal(t, 2, status, c.args)
		assert.Contains(t, messages, c.want, c.args)
		assert.True(t, strings.HasPrefix(messages, "assay: "), messages)
		assert.NotContains(t, messages, "assay: error: ")
	}
}

// twoFolders returns a folder with a file of each kind, and one that differs in each way that diff distinguishes.
func twoFolders(t *testing.T) (old, new string) {
	t.Helper()
	root := t.TempDir()
	old, new = filepath.Join(root, "old"), filepath.Join(root, "new")
	changed := strings.Replace(emptyBundle, "\x01\x02", "\x01\x03", 1)
	for path, content := range map[string]string{
		"old/same.gpb": emptyBundle, "new/same.gpb": emptyBundle,
		"old/sub/changed.gpb": emptyBundle, "new/sub/changed.gpb": changed,
		"old/before.txt": "this text has another name", "new/after.txt": "this text has another name",
		"old/gone.txt": "gone", "new/come.txt": "come!",
		"old/bytes.bin": "0123456789abcdef0123456789", "new/bytes.bin": "0123456789ABcdef0123456789",
	} {
		path = filepath.Join(root, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return old, new
}

func TestDiffListsTheFilesOfFolders(t *testing.T) {
	old, new := twoFolders(t)
	status, out, messages := do(t, "diff", old, new)
	assert.Equal(t, 1, status)
	assert.Empty(t, messages)
	assert.Equal(t, `> after.txt, was before.txt
~ bytes.bin
  # 1 of 1 line changed
  @@ -1 +1 @@
  - 0123456789abcdef0123456789
  + 0123456789ABcdef0123456789
+ come.txt (5 bytes)
- gone.txt (4 bytes)
~ sub/changed.gpb
  ~ / [Bundle] gpb 1.2 → gpb 1.3
  ~ /version [byte[2]] 1.2 ([1, 2]) → 1.3 ([1, 3])
  # 2 changed
# files: 2 changed, 1 renamed, 1 added, 1 removed
`, out)

	status, out, _ = do(t, "diff", "--json", old, new)
	assert.Equal(t, 1, status)
	var report struct {
		Same, Changed, Moved, Added, Removed int
		Files                                []struct {
			Name, Status string
			OldName      string `json:"old_name"`
			Comparison   *struct {
				Changed int
				Ranges  []struct {
					Status   string
					Old      struct{ Offset, Size int64 }
					OldBytes string `json:"old_bytes"`
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &report), out)
	assert.Equal(t, [5]int{1, 2, 1, 1, 1},
		[5]int{report.Same, report.Changed, report.Moved, report.Added, report.Removed})
	require.Len(t, report.Files, 5)
	assert.Equal(t, "before.txt", report.Files[0].OldName)
	assert.Empty(t, report.Files[1].OldName, "it kept its name")
	assert.Equal(t, "6162", report.Files[1].Comparison.Ranges[0].OldBytes)
	assert.Equal(t, 2, report.Files[4].Comparison.Changed)

	status, out, _ = do(t, "diff", old, old)
	assert.Zero(t, status)
	assert.Empty(t, out)
	status, out, _ = do(t, "diff", "--as", "html", old, new)
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "<details class=\"file changed\"><summary>")
	assert.Contains(t, out, "<p class=\"headline total\">Files: 2 changed, 1 moved, 1 added, 1 removed</p>")
	status, out, _ = do(t, "diff", "--as", "markdown", old, new)
	assert.Equal(t, 1, status)
	assert.True(t, strings.HasPrefix(out, "# old → new\n\n## moved: after.txt\n\nwas before.txt\n\n"), out)
	assert.Contains(t, out, "\n## changed: sub/changed.gpb\n\n- old: changed.gpb, ")
	assert.Contains(t, out, "\n## added: come.txt\n\n5 bytes\n")
	assert.True(t, strings.HasSuffix(out, "\n\nFiles: 2 changed, 1 moved, 1 added, 1 removed\n"), out)

	// Options for ignoring differences apply in folders, too.
	only, same := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(only, "a.gpb"), []byte(emptyBundle), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(same, "a.gpb"), []byte(emptyBundle+"x"), 0o600))
	status, _, _ = do(t, "diff", only, same)
	assert.Equal(t, 1, status)
	if os.Getuid() > 0 { // root can read all folders, and Windows has no such permissions
		require.NoError(t, os.Chmod(filepath.Join(same, "a.gpb"), 0))
		status, _, messages = do(t, "diff", only, same)
		assert.Equal(t, 2, status)
		assert.Contains(t, messages, "some files could not be compared")
	}
}

func TestVerifyAndExtractReadFolders(t *testing.T) {
	old, _ := twoFolders(t)
	status, out, _ := do(t, "verify", "-r", old)
	assert.Zero(t, status)
	assert.Contains(t, out, filepath.Join(old, "sub", "changed.gpb")+": gpb 1.2")
	assert.NotContains(t, out, "gone.txt")

	packages, target := t.TempDir(), t.TempDir()
	for _, name := range []string{"a.ppac", "sub/b.ppac"} {
		path := filepath.Join(packages, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, archive(t, []byte(name)), 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(packages, "notes.txt"), []byte("words"), 0o600))
	status, out, messages := do(t, "extract", "-r", packages, "-o", target, "--json")
	assert.Zero(t, status, messages)
	assert.Contains(t, out, "0000-0000-00000001")
	left, err := os.ReadDir(target)
	require.NoError(t, err)
	require.Len(t, left, 1, "of packages the later one wins")
	content, err := os.ReadFile(filepath.Join(target, left[0].Name()))
	require.NoError(t, err)
	assert.Equal(t, "sub/b.ppac", string(content))
}

// TestExitStatuses tests the statuses that docs/commands.md lists for each command.
func TestExitStatuses(t *testing.T) {
	t.Cleanup(xdg.Reload)
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	xdg.Reload()
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{"good.gpb": emptyBundle, "bad.gpb": emptyBundle[:14],
		"a.world": string(cube(t, 2)), "text": "words"} {
		require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
	}
	require.NoError(t, os.WriteFile("one.ppac", archive(t, []byte("words")), 0o600))
	require.NoError(t, os.WriteFile("empty.ppac", archive(t), 0o600))
	tested := map[string]bool{}
	system := map[bool]int{true: 0, false: 2}[desktop.HasSystem]
	for line, status := range map[string]int{
		"tree good.gpb": 0, "tree bad.gpb": 1, "tree text": 0, "tree no": 2, "tree": 2, "tree --only /no good.gpb": 2,
		"dump good.gpb": 0, "dump bad.gpb": 1, "dump no": 2, "dump --only no good.gpb": 2,
		"verify good.gpb": 0, "verify good.gpb bad.gpb": 1, "verify -q good.gpb": 0, "verify good.gpb no": 2,
		"verify":                  2,
		"extract one.ppac -o out": 0, "extract one.ppac --list": 0, "extract bad.gpb --list": 1,
		"extract one.ppac -o out --as glb":  2,
		"extract one.ppac -o out --only no": 1, "extract no": 2, "extract one.ppac --names {no}": 2,
		"extract one.ppac --conflict no": 2,
		"diff good.gpb good.gpb":         0, "diff good.gpb bad.gpb": 1, "diff text text": 0, "diff good.gpb no": 2,
		"diff good.gpb":             2,
		"thumbnail a.world out.png": 0, "thumbnail good.gpb out.png": 2, "thumbnail no out.png": 2,
		"thumbnail -s 3 a.world out.png": 2,
		"register --destdir d --system":  system, "unregister --destdir d --system": system, "register --nothing": 2,
		"register --destdir d": 2, "unregister --destdir d": 2,
		"unregister --nothing": 2,
		"help":                 0, "help tree": 0, "help no": 2, "completion bash": 0, "completion no": 2,
		"formats": 0, "tree --format gpb good.gpb": 0, "dump --format none good.gpb": 2, "diff --format no.ksy text text": 2,
		"find words": 0, "find -l bed good.gpb": 1, "find words text no": 2, "find --in bytes zz": 2, "find": 2,
		"find --in names one*": 0, "find --in values size>1 one.ppac": 0,
		"graph": 0, "graph a.world": 2, "graph one.ppac": 0, "graph empty.ppac": 0, "graph bad.gpb": 2, "graph no": 2, "graph --part no": 2,
		"notes": 0, "notes good.gpb": 0, "notes no": 2, "notes --import no": 2, "notes --import text good.gpb": 2,
		"pack": 2, "pack no -o p.ppac": 2, "pack one.ppac": 2, "pack one.ppac -o p.ppac": 0,
		"patch one.ppac": 2, "patch one.ppac no -o q.ppac": 2, "patch one.ppac one.ppac -o q.ppac": 0,
		"merge": 2, "merge text text no": 2, "merge good.gpb good.gpb good.gpb": 0, "merge good.gpb bad.gpb a.world": 1,
		"merge one.ppac one.ppac one.ppac -o m.ppac": 0, "mergetool": 2,
		"git-setup": 2, "git-setup --undo": 2, "open -": 2, "compare good.gpb": 2, "--version": 0, "--man": 0,
		"--nothing": 2,
	} {
		got, out, messages := do(t, strings.Fields(line)...)
		assert.Equal(t, status, got, "assay %s: %s", line, messages)
		if status == 2 && !strings.HasPrefix(line, "verify") && line != "find words text no" {
			assert.Empty(t, out, line)
			assert.NotEmpty(t, messages, line)
		}
		tested[strings.Fields(line)[0]] = true
	}
	for _, verb := range commandModel(t).Leaves(false) {
		assert.True(t, tested[verb.Name], verb.Name)
	}
}

// TestFileNamesNeedNotBeUTF8 uses names in Shift-JIS, which archives packed on a Japanese Windows have.
func TestFileNamesNeedNotBeUTF8(t *testing.T) {
	t.Chdir(t.TempDir())
	const name, shown = "te\x83X\x83g.", `te\x83X\x83g.`
	err := os.WriteFile(name+"gpb", []byte(emptyBundle), 0o600)
	if list, _ := filepath.Glob("*"); err != nil || !slices.Contains(list, name+"gpb") {
		t.Skipf("SKIPPED: this file system has no names that are not UTF-8: %v", err)
	}
	require.NoError(t, os.WriteFile(name+"world", cube(t, 2), 0o600))
	require.NoError(t, os.WriteFile(name+"bin", []byte("words"), 0o600))
	for _, verb := range []string{"tree", "dump", "verify"} {
		status, out, messages := do(t, verb, name+"gpb")
		assert.Zero(t, status, verb)
		assert.Empty(t, messages)
		assert.True(t, utf8.ValidString(out))
	}
	_, out, _ := do(t, "verify", "-r", ".")
	assert.Contains(t, out, shown+"gpb: gpb 1.2")
	_, out, _ = do(t, "verify", "--json", name+"gpb")
	var reports []struct{ File string }
	require.NoError(t, json.Unmarshal([]byte(out), &reports))
	assert.Equal(t, shown+"gpb", reports[0].File)
	_, _, messages := do(t, "tree", name+"no")
	assert.Contains(t, messages, shown+"no cannot be opened")

	status, out, messages := do(t, "extract", name+"world", "-o", "to-\x83", "--names", "{file}{name}{ext}")
	assert.Zero(t, status, messages)
	assert.True(t, utf8.ValidString(out+messages), out+messages)
	written, err := os.ReadDir("to-\x83")
	require.NoError(t, err)
	require.NotEmpty(t, written)
	for _, w := range written {
		assert.True(t, utf8.ValidString(w.Name()), "%q: what is written has a name that every system takes", w.Name())
		assert.False(t, w.IsDir(), "the escape is not a folder: %q", w.Name())
	}

	require.NoError(t, os.Mkdir("old", 0o700))
	require.NoError(t, os.Mkdir("new", 0o700))
	require.NoError(t, os.WriteFile("old/"+name+"gpb", []byte(emptyBundle), 0o600))
	require.NoError(t, os.WriteFile("new/"+name+"gpb", []byte(strings.Replace(emptyBundle, "\x01\x02", "\x01\x03", 1)),
		0o600))
	status, out, _ = do(t, "diff", "old", "new")
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "~ "+shown+"gpb\n  ~ / [Bundle]")
	_, out, _ = do(t, "diff", "--json", "old", "new")
	assert.Contains(t, out, `"name":"te\\x83X\\x83g.gpb"`)
	_, out, _ = do(t, "diff", "--as", "html", "old/"+name+"gpb", "new/"+name+"gpb")
	assert.Contains(t, out, shown+"gpb")
}

func TestCommandsSearchTheResourceFolder(t *testing.T) {
	f := tetrahedron()
	f.Objects = []gpb.Object{&gpb.Scene{ID: "scene", Nodes: []*gpb.Node{{ID: "node",
		Transform: [16]float32{0: 1, 5: 1, 10: 1, 15: 1}, Model: &gpb.Model{Mesh: "#m", Materials: []string{"red"}}}}}}
	path := file(t, "form.gpb", string(bundle(t, f, gpbtest.V15)))
	resources := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(resources, "form.material"),
		[]byte("material red\n{\n technique\n {\n  pass\n  {\n   u_diffuseColor = 1, 0, 0, 1\n  }\n }\n}\n"), 0o600))
	export := func(options ...string) (status int, out string) {
		status, out, messages := do(t, append([]string{"extract", "--as", "glb", "--only", "scene", "-o", t.TempDir(), path},
			options...)...)
		assert.Empty(t, messages)
		return status, out
	}
	_, out := export()
	assert.Contains(t, out, "guessed: colors of materials (form.material was not found beside the bundle)")
	status, out := export("--resources", resources)
	assert.Zero(t, status)
	assert.NotContains(t, out, "problem")

	red := func(options ...string) bool {
		picture := filepath.Join(t.TempDir(), "out.png")
		status, _, messages := do(t, append([]string{"thumbnail", path, picture}, options...)...)
		require.Zero(t, status, messages)
		b, err := os.ReadFile(picture)
		require.NoError(t, err)
		img, err := png.Decode(bytes.NewReader(b))
		require.NoError(t, err)
		r, g, _, a := img.At(img.Bounds().Dx()/2, img.Bounds().Dy()/2).RGBA()
		return a > 0 && r > 4*g
	}
	assert.False(t, red())
	assert.True(t, red("--resources", resources))

	status, _, messages := do(t, "thumbnail", path, filepath.Join(resources, "x.png"), "--resources", path)
	assert.Equal(t, 2, status)
	assert.Contains(t, messages, "--resources: cannot read the folder "+path)
}

// TestFormatIsOfTheNamedFile tests that --format applies to the named file or the standard input, but not to a file
// inside of it.
func TestFormatIsOfTheNamedFile(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("box.ksy", []byte("meta: {id: box, endian: le}\nseq:\n"+
		"  - {id: magic, contents: BOX1}\n  - {id: content, size-eos: true, -assay-export: {name: inside.gpb}}\n"), 0o600))
	file := "BOX1" + emptyBundle
	require.NoError(t, os.WriteFile("one.box", []byte(file), 0o600))
	status, out, messages := do(t, "verify", "--deep", "--format", "box.ksy", "one.box")
	assert.Equal(t, 0, status, out+messages)
	status, out, messages = doWith(strings.NewReader(file), "tree", "--format", "box.ksy", "-")
	assert.Equal(t, 0, status, messages)
	assert.Contains(t, out, "magic")
}

// TestDiffOfPartlyReadFilesIsAnError compares files that are read only in part, which is an error.
func TestDiffOfPartlyReadFilesIsAnError(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("long.ksy", []byte("meta: {id: long}\nseq: [{id: a, type: t(40)}, {id: b, type: u1}]\n"+
		"types: {t: {params: [{id: n, type: s4}], seq: [{id: x, type: t(n - 1), if: n > 0}, {id: y, type: t(n - 1), if: n > 0}]}}\n"), 0o600))
	require.NoError(t, os.WriteFile("old", []byte("1"), 0o600))
	require.NoError(t, os.WriteFile("new", []byte("2"), 0o600))
	status, _, messages := do(t, "diff", "--format", "long.ksy", "old", "new")
	assert.Equal(t, 2, status)
	assert.Contains(t, messages, "old was not compared whole: /a/x")
	assert.Contains(t, messages, "the old file was not read to the end: reading stopped")
	status, _, messages = do(t, "diff", "--format", "long.ksy", "old", "old")
	assert.Equal(t, 0, status, messages)
}

// TestAddedFoldersOfDescriptionsAreUsed adds a folder of descriptions, and removes it.
func TestAddedFoldersOfDescriptionsAreUsed(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Cleanup(xdg.Reload)
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	xdg.Reload()
	require.NoError(t, os.MkdirAll("published/games", 0o755))
	require.NoError(t, os.WriteFile("published/games/box.ksy",
		[]byte("meta: {id: box, title: A box, file-extension: [box, bx]}\nseq: [{id: all, size-eos: true}]"), 0o600))
	require.NoError(t, os.WriteFile("one.bx", []byte("content"), 0o600))
	status, out, messages := do(t, "formats", "--add", "published")
	assert.Equal(t, 0, status, messages)
	assert.Regexp(t, `box +A box \(from .*box.ksy\) +\.box \.bx`, out)
	_, out, _ = do(t, "dump", "one.bx")
	assert.Contains(t, out, `"format":"box"`)
	_, out, _ = do(t, "formats", "--remove", "published")
	assert.NotContains(t, out, "A box")
	status, _, messages = do(t, "formats", "--add", "nowhere")
	assert.Equal(t, 2, status)
	assert.Contains(t, messages, "nowhere is not a folder that can be read")
}

// TestTreePrintsEveryProblemThatItCounts reads a file that its description describes in part.
func TestTreePrintsEveryProblemThatItCounts(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("pak.ksy", []byte("meta: {id: pak, endian: le}\nseq:\n  - {id: magic, contents: PAK1}\n"+
		"  - {id: count, type: u4}\n"), 0o600))
	require.NoError(t, os.WriteFile("thing.pak", []byte("PAK1\x01\x00\x00\x00rest"), 0o600))
	status, out, messages := do(t, "tree", "--format", "pak.ksy", "thing.pak")
	assert.Equal(t, 0, status, messages)
	assert.Equal(t, `pak (from pak.ksy), 12 bytes, 66% described, 1 problem
/ [pak] @ 0x0 +12
  magic [bytes] = PAK1 (4 bytes) @ 0x0 +4
  count [u4le] = 1 @ 0x4 +4
  gap [gap[]] @ 0x8 +4
    ! note at 0x8: 4 bytes in 1 gap not described, the first at 0x8
    0 [gap] = 4 bytes @ 0x8 +4
`, out)
	for strict, want := range map[bool]int{false: 0, true: 1} {
		args := []string{"verify", "--format", "pak.ksy", "thing.pak"}
		if strict {
			args = append(args, "--strict")
		}
		status, out, messages := do(t, args...)
		assert.Equal(t, want, status, messages)
		assert.Contains(t, out, "thing.pak: pak (from pak.ksy), 12 bytes, 66% described\n")
	}
}

func TestFileWithoutDescribedBytesHasTheNoteAboutTheGap(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("pak.ksy", []byte("meta: {id: pak}\nseq: []\n"), 0o600))
	require.NoError(t, os.WriteFile("thing.pak", []byte("rest"), 0o600))
	_, out, messages := do(t, "tree", "--format", "pak.ksy", "thing.pak")
	assert.Contains(t, out, "0% described, 1 problem\n", messages)
	assert.Contains(t, out, "! note at 0x0: 4 bytes in 1 gap not described, the first at 0x0\n")
}

// TestFormatsChecksDescriptions tests that all errors of descriptions are printed at their line and column.
func TestFormatsChecksDescriptions(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("good.ksy", []byte("meta: {id: good}\nseq: [{id: a, type: u1}]"), 0o600))
	require.NoError(t, os.WriteFile("bad.ksy", []byte("meta: {id: bad}\nseq:\n  - id: a\n    type: b\n    size: '\"x\"'\n"), 0o600))
	status, out, _ := do(t, "formats", "--check", "good.ksy")
	assert.Equal(t, 0, status)
	assert.Empty(t, out)
	status, out, _ = do(t, "formats", "--check", "good.ksy", "bad.ksy")
	assert.Equal(t, 1, status)
	assert.Equal(t, "bad.ksy:4:11: unable to find type \"b\", searching from bad\n"+
		"bad.ksy:5:12: size: a whole number is needed, not a text\n", out)
	status, _, messages := do(t, "formats", "--check", "none.ksy")
	assert.Equal(t, 2, status)
	assert.Contains(t, messages, "no such file")
	status, _, _ = do(t, "formats", "good.ksy")
	assert.Equal(t, 2, status)
}
