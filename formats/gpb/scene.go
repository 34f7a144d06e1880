package gpb

import "assay/model"

// scenes makes the payloads of scenes and meshes.
type scenes struct {
	*payloads
	file *File
}

func (p *payloads) scenes(f *File) *scenes { return &scenes{p, f} }

func (s *scenes) scene(o *Scene) *model.Payload { return s.object(o.place, o.ID) }

func (s *scenes) mesh(o *Mesh) *model.Payload { return s.object(o.place, o.ID) }
