package scene

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"assay/model"
)

// Counts are the numbers of elements of a scene.
type Counts struct {
	Vertices int      // of the meshes of all nodes
	UVSets   int      // most of any mesh
	Bones    int      // different joints of the skins
	Textures []string // different textures of the materials: the path of each file, or its name if it was not found
	Points   int
	Noun     string // for one of the points
}

// Counts counts what the scene contains. It reads no vertices.
func (s *Scene) Counts() (c Counts) {
	bones := make(map[*Node]bool)
	textures := make(map[string]bool)
	s.Walk(func(n *Node, _ Matrix) {
		if m := n.Mesh; m != nil {
			c.Vertices += m.Count
			for i := range max(len(m.Parts), len(n.Materials)) {
				addTextures(textures, n.Material(i))
			}
			sets := 0
			for _, e := range m.Elements {
				if e.Usage == TexCoord {
					sets++
				}
			}
			c.UVSets = max(c.UVSets, sets)
		}
		if n.Skin != nil {
			for _, joint := range n.Skin.Joints {
				if joint != nil {
					bones[joint] = true
				}
			}
		}
		if n.Points != nil {
			c.Points += n.Points.Count
			c.Noun = cmp.Or(n.Points.Noun, "point")
		}
	})
	c.Bones = len(bones)
	c.Textures = slices.Sorted(maps.Keys(textures))
	return c
}

// addTextures adds the textures of a material, which may be nil.
func addTextures(textures map[string]bool, m *Material) {
	if m == nil {
		return
	}
	for _, s := range m.Samplers() {
		if s.Texture != nil {
			textures[cmp.Or(s.Texture.Path, s.Texture.Name)] = true
		}
	}
}

// Unassigned is the materials and pictures of a project that no part of a scene uses, if some parts have none.
type Unassigned struct {
	Materials int
	// Pairs are likely assignments of them to parts without a material, or without a texture, by their names.
	Pairs []model.Assignment
}

// candidate is a material or a picture that can be assigned.
type candidate struct {
	model.Material
	idWords, fileWords []string
}

// Unassigned finds the materials and pictures of the project that no part of the scene uses. The candidates have no
// reference in the project: in many projects only code assigns such materials.
func (s *Scene) Unassigned(candidates []model.Material) (out Unassigned) {
	used, hasIncomplete := s.usedMaterials()
	if !hasIncomplete {
		return out
	}
	var free []candidate
	for _, m := range candidates {
		if used[m] {
			continue
		}
		name := strings.TrimSuffix(path.Base(m.File), path.Ext(m.File))
		free = append(free, candidate{m, nameWords(m.ID), nameWords(name)})
		if m.ID != "" {
			out.Materials++
		}
	}
	s.eachPart(func(n *Node, part int, m *Material) {
		if !m.isIncomplete() {
			return
		}
		best := bestMatch(n, m, free)
		if best < 0 {
			return
		}
		to := n.Target(part)
		if len(n.Mesh.Parts) == 1 {
			to.Part = model.AllParts
		}
		if pair := (model.Assignment{To: to, Material: free[best].Material}); !slices.Contains(out.Pairs, pair) {
			out.Pairs = append(out.Pairs, pair)
		}
	})
	return out
}

// eachPart visits the parts of the meshes of all nodes, with their materials, which may be nil.
func (s *Scene) eachPart(visit func(n *Node, part int, m *Material)) {
	s.Walk(func(n *Node, _ Matrix) {
		if n.Mesh != nil {
			for i := range n.Mesh.Parts {
				visit(n, i, n.Material(i))
			}
		}
	})
}

// usedMaterials returns the materials and pictures of the parts, and reports whether a part is incomplete.
func (s *Scene) usedMaterials() (used map[model.Material]bool, hasIncomplete bool) {
	used = make(map[model.Material]bool)
	s.eachPart(func(_ *Node, _ int, m *Material) {
		if hasIncomplete = hasIncomplete || m.isIncomplete(); m == nil {
			return
		}
		used[model.Material{File: m.Origin.File, ID: m.Origin.ID}] = true
		for _, sampler := range m.Samplers() {
			if sampler.Texture != nil {
				used[model.Material{File: sampler.Texture.Path}] = true
			}
		}
	})
	return used, hasIncomplete
}

// bestMatch returns the index of the candidate whose name is most similar to those of a part with the material m, which
// may be nil; -1 if none is similar.
func bestMatch(n *Node, m *Material, free []candidate) int {
	names := [][]string{nameWords(n.Name), nameWords(n.Mesh.Name)}
	if m != nil {
		names = append(names, nameWords(m.Name))
	}
	best, score := -1, 0
	for i, c := range free {
		if c.ID != "" && m != nil && m.Shading != UnknownShading { // it only lacks a texture
			continue
		}
		similarity := 0
		for _, name := range names {
			similarity = max(similarity, nameSimilarity(name, c.idWords), nameSimilarity(name, c.fileWords))
		}
		if similarity > 0 && c.ID != "" { // prefer a material to a picture
			similarity += 2
		}
		if similarity > score {
			best, score = i, similarity
		}
	}
	return best
}

// Files returns the files that the meshes of the scene are from, from the root of their project.
func (s *Scene) Files() (files []string) {
	s.Walk(func(n *Node, _ Matrix) {
		if n.Mesh != nil && n.Mesh.File != "" && !slices.Contains(files, n.Mesh.File) {
			files = append(files, n.Mesh.File)
		}
	})
	return files
}

// isIncomplete reports whether a part with this material, which may be nil, needs another one or a picture.
func (m *Material) isIncomplete() bool {
	return m == nil || m.Shading == UnknownShading || m.hidesShape()
}

// Target identifies a part of a node's mesh. A mesh that is displayed by itself belongs to no node: it stands for all
// nodes with it.
func (n *Node) Target(part int) model.Target {
	to := model.Target{Node: n.Name, Part: part}
	if n.Mesh != nil {
		to.Mesh, to.File = n.Mesh.Name, n.Mesh.File
	}
	if n.Offset == 0 && n.Name == to.Mesh {
		to.Node = ""
	}
	return to
}

// commonWords are words of names that do not distinguish items.
var commonWords = []string{"mesh", "shape", "material", "mat", "model", "node", "lib", "tex", "texture", "diffuse"}

// nameWords returns the words of a name in lower case, without numbers and common words.
func nameWords(name string) (words []string) {
	var previous rune
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r):
		case !unicode.IsLetter(previous) || unicode.IsUpper(r) && unicode.IsLower(previous):
			words = append(words, string(unicode.ToLower(r)))
		default:
			words[len(words)-1] += string(unicode.ToLower(r))
		}
		previous = r
	}
	return slices.DeleteFunc(words, func(w string) bool { return slices.Contains(commonWords, w) })
}

// nameSimilarity returns 0 unless one name begins with the other, else twice the length of their common words, plus 1
// if they are equal.
func nameSimilarity(a, b []string) (length int) {
	n := min(len(a), len(b))
	if n == 0 || !slices.Equal(a[:n], b[:n]) {
		return 0
	}
	for _, word := range a[:n] {
		length += 2 * len(word)
	}
	if len(a) == len(b) {
		length++
	}
	return length
}
