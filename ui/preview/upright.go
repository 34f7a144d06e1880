package preview

import (
	"encoding/json"
	"path/filepath"

	"fyne.io/fyne/v2"
)

const (
	uprightKey  = "scene.upright"
	uprightMost = 200 // folders that are remembered
	levelsMost  = 40  // folders above a file that are looked at
)

// uprights is which axis points up, z or y, for the scenes of files in a folder and below it.
type uprights []upright

type upright struct {
	Folder string
	Z      bool
}

func keptUprights() (u uprights) {
	if app := fyne.CurrentApp(); app != nil {
		if json.Unmarshal([]byte(app.Preferences().String(uprightKey)), &u) != nil {
			return nil
		}
	}
	return u
}

// of returns whether z points up in the scenes of a file; ok is false if the user has not chosen.
func (u uprights) of(file string) (z, ok bool) {
	at := folderOf(file)
	for range levelsMost {
		for _, one := range u {
			if one.Folder == at {
				return one.Z, true
			}
		}
		at = filepath.Dir(at)
	}
	return false, false
}

// folderOf is the folder of a file from the root on.
func folderOf(file string) string {
	if full, err := filepath.Abs(file); err == nil {
		file = full
	}
	return filepath.Dir(file)
}

// keepUpright remembers the axis for the folder of a file. Of too many the oldest are forgotten.
func keepUpright(file string, z bool) {
	folder := folderOf(file)
	u := uprights{{folder, z}}
	for _, one := range keptUprights() {
		if one.Folder != folder && len(u) < uprightMost {
			u = append(u, one)
		}
	}
	if b, err := json.Marshal(u); err == nil {
		fyne.CurrentApp().Preferences().SetString(uprightKey, string(b))
	}
}
