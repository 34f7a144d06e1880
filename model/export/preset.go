package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/model"
	"assay/model/userdata"
)

// Preset is how assets are exported, under a name.
type Preset struct {
	Name string `json:"name"`
	// by the type of asset; other assets get their first form
	Forms    map[string]string `json:"forms,omitempty"`
	Prefer   string            `json:"prefer,omitempty"` // see Options
	Names    string            `json:"names,omitempty"`  // the template
	Conflict string            `json:"conflict,omitempty"`
	Folder   string            `json:"folder,omitempty"`
}

// StandardPresets returns the presets that come with the program.
func StandardPresets() []Preset {
	return []Preset{
		{Name: "Everything as it is", Prefer: rawForm},
		{Name: "Pictures as PNG", Prefer: "png"},
		{Name: "Models as GLB", Prefer: "glb"},
	}
}

// Check returns an error if a preset is invalid.
func (p *Preset) Check() error {
	if strings.TrimSpace(p.Name) == "" {
		return errors.New("a preset needs a name")
	}
	if _, err := ParseTemplate(p.Names); err != nil {
		return fmt.Errorf("preset %q: %w", p.Name, err)
	}
	if p.Conflict != "" {
		if _, err := ParseRule(p.Conflict); err != nil {
			return fmt.Errorf("preset %q: %w", p.Name, err)
		}
	}
	return nil
}

// Presets is the presets of a user, in a file.
type Presets struct {
	path string
	list []Preset
}

// PresetFile is where a user's presets are.
func PresetFile() string { return filepath.Join(userdata.Config(), "assay", "presets.json") }

// maxPresetBytes is the maximum size of a file of presets, in bytes.
const maxPresetBytes = 1 << 20

// LoadPresets reads the presets of a file; no file is no presets.
func LoadPresets(path string) (*Presets, error) {
	p := &Presets{path: path}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil && (info.Size() > maxPresetBytes || !info.Mode().IsRegular()) {
		err = errors.New("it is not a preset file")
	}
	var b []byte
	if err == nil {
		b, err = model.ReadShared(path)
	}
	if err == nil {
		err = json.Unmarshal(b, &p.list)
	}
	if err != nil {
		return &Presets{path: path}, fmt.Errorf("the presets in %s cannot be read: %s", filepath.Base(path), withoutPath(err))
	}
	return p, nil
}

// Names lists the names of the user's presets, without the standard ones.
func (p *Presets) Names() []string {
	var names []string
	for _, s := range p.list {
		names = append(names, s.Name)
	}
	return names
}

// Find returns the preset of a name.
func (p *Presets) Find(name string) (Preset, error) {
	presets := slices.Concat(p.list, StandardPresets())
	var names []string
	for _, s := range presets {
		if s.Name == name {
			return s, s.Check()
		}
		names = append(names, s.Name)
	}
	return Preset{}, fmt.Errorf("unknown preset %q; available: %s", name, strings.Join(names, ", "))
}

// Save stores a preset; it replaces one with the same name.
func (p *Presets) Save(s Preset) error {
	if err := s.Check(); err != nil {
		return err
	}
	list := slices.DeleteFunc(slices.Clone(p.list), func(o Preset) bool { return o.Name == s.Name })
	list = append(list, s)
	slices.SortFunc(list, func(a, b Preset) int {
		return strings.Compare(strings.ToLower(a.Name),
			strings.ToLower(b.Name))
	})
	return p.write(list)
}

// Remove forgets the preset of a name.
func (p *Presets) Remove(name string) error {
	return p.write(slices.DeleteFunc(slices.Clone(p.list), func(o Preset) bool { return o.Name == name }))
}

// write replaces the file: it is complete at all times.
func (p *Presets) write(list []Preset) error {
	b, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	if err := userdata.MakeFolder(filepath.Dir(p.path), 0o777); err != nil {
		return fmt.Errorf("the presets cannot be saved: %s", withoutPath(err))
	}
	if err := model.ReplaceFile(p.path, append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("the presets cannot be saved: %s", withoutPath(err))
	}
	p.list = list
	return nil
}
