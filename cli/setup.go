package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"

	"assay/assets"
	"assay/formats"
	"assay/model/git"
	"assay/model/userdata"
	"assay/ui/desktop"
)

type registerCommand struct {
	desktopFlags
	Default bool `help:"Also make Assay the default app for these types."`
}

func (c *registerCommand) Run(s *session) error { return c.register(s.ctx, s, c.Default) }

type unregisterCommand struct {
	desktopFlags
}

func (c *unregisterCommand) Run(s *session) error {
	r, err := c.registration(s)
	if err != nil {
		return err
	}
	return r.Unregister(s.ctx)
}

type desktopFlags struct {
	System  bool   `help:"For all users: write to /usr/share."`
	Destdir string `placeholder:"DIR" help:"With --system: staging root used while building a package."`
	Prefix  string `placeholder:"DIR" help:"With --system: installation prefix. Default: /usr."`
}

// register registers the file types with the desktop. With isDefault, Assay becomes their default app.
func (f *desktopFlags) register(ctx context.Context, s *session, isDefault bool) error {
	r, err := f.registration(s)
	if err == nil {
		err = r.Register(ctx)
	}
	if err == nil && isDefault {
		err = r.SetDefault(ctx)
	}
	return err
}

// registration returns the desktop registration for the flags.
func (f *desktopFlags) registration(s *session) (*desktop.Registration, error) {
	if (f.Destdir != "" || f.Prefix != "") && !f.System {
		return nil, errors.New("--destdir and --prefix require --system")
	}
	prefix := cmp.Or(f.Prefix, "/usr")
	program, err := windowProgram()
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(cmp.Or(f.Destdir, "/"))
	if err != nil {
		return nil, err
	}
	data, state := userdata.Data(), filepath.Join(userdata.State(), "assay")
	homeless := userdata.Require()
	if homeless != nil {
		state = "" // there is no saved state
	}
	switch {
	case homeless != nil && !f.System:
		return nil, homeless
	case f.System && !desktop.HasSystem:
		return nil, errors.New("--system is not supported on Windows and macOS, where types are registered per user")
	case f.System:
		data = filepath.Join(root, prefix, "share")
	}
	if f.Destdir != "" {
		program = installedPath(program, root, prefix)
	}
	return &desktop.Registration{Data: data, Home: userdata.Home(), Config: userdata.Config(),
		State: state, Program: program, Types: formats.FileTypes(),
		Progress: s.runner.Out, Staged: f.Destdir != "",
		Icon: desktop.Icon{App: assets.Icon, SVG: assets.IconSVG}}, nil
}

// installedPath returns the path that a program staged below root will have. For a program elsewhere, it is the path
// that packages install to.
func installedPath(program, root, prefix string) string {
	if rel, err := filepath.Rel(root, program); err == nil && filepath.IsLocal(rel) {
		return "/" + filepath.ToSlash(rel)
	}
	return path.Join(filepath.ToSlash(prefix), "bin/assay")
}

type gitSetupCommand struct {
	Global bool `help:"Configure all repositories of this user instead of the current one."`
	Undo   bool `help:"Undo git-setup."`
}

func (c *gitSetupCommand) Run(s *session) error {
	if c.Global {
		if err := userdata.Require(); err != nil {
			return err // git would look for the user's settings in a subfolder of the current folder
		}
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	setup := git.Setup{Folder: ".", Global: c.Global, Program: program, Log: s.runner.Out}
	if window, err := windowProgram(); err == nil && (hasWindow || window != program) {
		setup.Window = window
	}
	for _, f := range formats.All() {
		if f.Packer != nil {
			setup.Archives = append(setup.Archives, f.Extensions()...)
		} else if f.IsText() { // other extensions of text formats are also used by other programs
			setup.Texts = append(setup.Texts, f.OwnExtensions()...)
		} else {
			setup.Extensions = append(setup.Extensions, f.Extensions()...)
		}
	}
	if c.Undo {
		return setup.Undo(s.ctx)
	}
	return setup.Write(s.ctx)
}
