// Package scene is a format-independent 3D scene: nodes, meshes, materials, textures, skins, animations, cameras,
// lights and points. Decoders build a Scene, the preview draws it, and its writers make GLB (glTF 2.0) and OBJ with
// MTL, so that all of them share one decoder.
//
// Matrices are column-major, angles are in radians, times in seconds; y is up, cameras and lights look along their
// node's negative z axis. Vertices, indices, keys and pictures are read on demand.
//
// A writer omits or replaces data that is invalid or that its format cannot store, and returns a list of sentences
// about it.
package scene

import (
	"context"
	"image"
	"io"
	"math"
	"slices"

	"assay/model"
)

// Scene is a tree of nodes, with animations.
type Scene struct {
	Name         string
	Roots        []*Node
	Animations   []*Animation
	ActiveCamera *Node
	Ambient      [3]float32
	Up           Up // as stored in the file
	// Steps are the scenes of the series that this one belongs to, in order; it may be nil. Step is its index.
	Steps []Step
	Step  int
	// Materials lists the materials that the user can assign to parts of its meshes; it may be nil.
	Materials model.Materials
	// Gravity is the axis against which the scene's gravity pulls. Many scenes have it from a template, so it is weaker
	// evidence than their content.
	Gravity Up
	// OthersUp returns the axis that points up in other scenes of the project, by their cameras. It may be nil.
	OthersUp func() Up
	// Missing lists files that the scene refers to but that were not found, and unsupported features, in sentences.
	Missing []string
	// Absent lists the messages of Missing about files that were not found anywhere.
	Absent []string
	// Incomplete means that some of them are files that may be in another folder.
	Incomplete bool
}

// ViewKind implements model.View.
func (*Scene) ViewKind() model.ViewKind { return model.SceneView }

// Node is a node of a scene. It has at most one parent.
type Node struct {
	Name      string
	Offset    int64  // of the node of the document that it was made from, or 0
	Transform Matrix // relative to the parent
	Children  []*Node

	Mesh      *Mesh
	Materials []*Material // by part; a part has its own if this is nil, too short, or nil at its index
	Skin      *Skin
	Points    *Points
	Camera    *Camera
	Light     *Light
	Collision *Collision
	// Undrawn means that the game does not draw the mesh: it has no material, although files assign materials to
	// others.
	Undrawn bool
}

// Material returns the material of a part of the node's mesh: the node's, else the part's own, or nil.
func (n *Node) Material(part int) *Material {
	if part < len(n.Materials) && n.Materials[part] != nil {
		return n.Materials[part]
	}
	if n.Mesh != nil && part < len(n.Mesh.Parts) && n.Mesh.Parts[part] != nil {
		return n.Mesh.Parts[part].Material
	}
	return nil
}

// Usage is the purpose of an element of a vertex.
type Usage uint8

// The usages.
const (
	Other Usage = iota
	Position
	Normal
	Color
	Tangent
	Binormal
	Weights
	Joints
	TexCoord
)

var usageNames = [...]string{"other", "position", "normal", "color", "tangent", "binormal", "weights", "joints",
	"texture coordinates"}

// String returns the name of the usage.
func (u Usage) String() string { return usageNames[u] }

// Element is one part of a vertex: Size floats.
type Element struct {
	Usage Usage
	Set   int // which of several texture coordinates or colors
	Size  int
}

// Mesh is vertices and the parts that join them. Several nodes may have one mesh.
type Mesh struct {
	Name     string
	File     string    // that has it, from the root of its project; may be empty
	Elements []Element // in their order in a vertex
	Count    int       // vertices
	Vertices Floats    // Count times the floats of all elements, vertex by vertex
	Parts    []*Part
}

// Stride returns the number of floats of a vertex.
func (m *Mesh) Stride() int {
	n := 0
	for _, e := range m.Elements {
		n += e.Size
	}
	return n
}

// Primitive is the kind of shapes that indices form.
type Primitive uint8

// The primitives, with their numbers in OpenGL and glTF.
const (
	PointList Primitive = iota
	Lines
	LineLoop
	LineStrip
	Triangles
	TriangleStrip
	TriangleFan
)

// Part is the primitives of a mesh with one material.
type Part struct {
	Offset    int64 // of the node of the document that it was made from, or 0
	Primitive Primitive
	Material  *Material // may be nil
	Indices   Indices   // nil means all vertices in order
}

// Skin binds a mesh to joints: a vertex follows the joints in its element Joints, with its Weights. Several nodes may
// have one skin.
type Skin struct {
	Name      string
	Space     *Node // the space of the bound mesh, the parent of its skeleton; nil for the scene's
	BindShape Matrix
	Joints    []*Node  // nil for missing nodes
	Inverse   []Matrix // inverse bind matrices, one for each joint
	Skeletons []*Node  // the children of its node that are trees of its joints, in order
}

// Camera looks along its node's negative z axis.
type Camera struct {
	Name          string
	Orthographic  bool
	Aspect        float32
	FieldOfView   float32 // of a perspective camera, from top to bottom, in radians
	Width, Height float32 // of the view of an orthographic camera
	Near, Far     float32
}

// LightKind is the kind of a light.
type LightKind uint8

// The kinds of lights.
const (
	Directional LightKind = iota
	Point
	Spot
)

// Light shines along its node's negative z axis.
type Light struct {
	Name         string
	Kind         LightKind
	Color        [3]float32
	Range        float32 // 0 means unlimited
	Inner, Outer float32 // of a spot: angles from its axis
}

// Animation animates nodes. It plays as a whole, or one of its clips.
type Animation struct {
	Name     string
	Offset   int64 // of the node of the document that it was made from, or 0
	Channels []*Channel
	Clips    []*Clip // named ranges of it; may be nil
}

// Channel animates one node. Each key has as many floats as Components; other components keep their values.
type Channel struct {
	Target     *Node // nil for a missing node
	TargetName string
	Offset     int64       // of the node of the document that it was made from, or 0
	Components []Component // nil if the file names an unknown property
	// Read returns the times in seconds and the values of all keys.
	Read func() (times, values []float32, err error)
	// KeyAt returns the time of the key with a byte of the document, or false. It may be nil.
	KeyAt func(offset int64) (time float32, ok bool)
}

// isUsable reports whether the channel has a node and components.
func (c *Channel) isUsable() bool { return c.Target != nil && len(c.Components) > 0 }

// Component is one number of a node's transform.
type Component uint8

// The components. A rotation is all of its four, a unit quaternion.
const (
	ScaleX Component = iota
	ScaleY
	ScaleZ
	RotateX
	RotateY
	RotateZ
	RotateW
	TranslateX
	TranslateY
	TranslateZ
)

var componentNames = [...]string{"scale x", "scale y", "scale z", "rotation x", "rotation y", "rotation z",
	"rotation w", "translation x", "translation y", "translation z"}

// String returns the name of the component.
func (c Component) String() string { return componentNames[c] }

// Components of whole properties, to be concatenated.
var (
	Scale     = []Component{ScaleX, ScaleY, ScaleZ}
	Rotate    = []Component{RotateX, RotateY, RotateZ, RotateW}
	Translate = []Component{TranslateX, TranslateY, TranslateZ}
)

// Points is a cloud of dots or, with an edge, of cubes.
type Points struct {
	Name  string
	Noun  string // for one point, such as "atom"; empty: "point"
	Count int
	Edge  float32 // of the cube around each point; 0 for dots
	// List is the node of the document that has an element for each point; it may be nil.
	List *model.Node
	Read func(first int, into []Dot) error
}

// Dot is a point of Points.
type Dot struct {
	Position [3]float32
	Color    [4]uint8
	ID       uint32 // identifies it over the steps of a series
}

// Walk visits every node once, parents first, and passes the transform from each node to the scene. It does not visit a
// node again, so that cyclic structures end.
func (s *Scene) Walk(visit func(n *Node, world Matrix)) {
	visited := make(map[*Node]bool)
	type step struct {
		n           *Node
		parentWorld Matrix
	}
	var pending []step
	push := func(list []*Node, above Matrix) {
		for i := len(list) - 1; i >= 0; i-- {
			pending = append(pending, step{list[i], above})
		}
	}
	push(s.Roots, Identity)
	for len(pending) > 0 {
		t := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if t.n == nil || visited[t.n] {
			continue
		}
		visited[t.n] = true
		world := t.parentWorld.Times(t.n.Transform)
		visit(t.n, world)
		push(t.n.Children, world)
	}
}

// Span returns the times of the animation's first key and of its last, in seconds, or 0 if no key can be read.
func (a *Animation) Span() (first, last float32) {
	first = math.MaxFloat32
	for _, c := range a.Channels {
		times, _, err := c.Read()
		if err != nil {
			continue
		}
		for _, t := range times {
			if finite(t) {
				first, last = min(first, t), max(last, t)
			}
		}
	}
	return min(first, last), last
}

// Material describes the surface of a part. Colors are the file's, in sRGB. With UnknownShading only the name is
// set.
//
// The base is Diffuse, times the color of Texture, covered by Layers, and with VertexColors times the color of the
// vertex. The color of a surface is base · Ambient + Σ light · base · max(0, normal · light) and its highlights; with
// Unlit it is the base alone. LightMap multiplies all of it. Its alpha is the base's.
//
// A highlight is light · base · max(0, normal · half) to the power of SpecularExponent, where half is the direction
// halfway between the light and the viewer. With WhiteHighlights it is white, independent of light and base.
type Material struct {
	Name    string
	Origin  model.Material // its file and its name there; the zero value if it is in no file of its own
	Shading Shading
	Diffuse [4]float32 // with alpha; 1 where a texture has the color
	Ambient [3]float32 // the share of the base that is visible without a light
	// LightColor is the light that the material sets itself, for a scene without lights, or 0.
	LightColor       [3]float32
	SpecularExponent float32 // 0 for no highlights
	WhiteHighlights  bool
	VertexColors     bool

	Texture  *Sampler // of the base; may be nil
	Layers   []Layer
	Normal   *Sampler
	LightMap *Sampler

	Alpha       AlphaMode
	Cutoff      float32 // of AlphaDiscard: alpha below it is not drawn
	Additive    bool    // AlphaBlend adds to the background instead of covering it
	Cull        Cull
	NoDepthTest bool // drawn in front of nearer surfaces

	// Techniques are the names of the material's variants in its file; it may be nil. Technique is the index of this
	// one.
	Techniques []string
	Technique  int
}

// Layer is a texture over the base. The channel of Blend with this index, red first, is its opacity.
type Layer struct {
	Texture, Blend *Sampler
	Channel        int
}

// Samplers returns all samplers of the material.
func (m *Material) Samplers() (samplers []*Sampler) {
	samplers = append(samplers, m.Texture, m.Normal, m.LightMap)
	for _, l := range m.Layers {
		samplers = append(samplers, l.Texture, l.Blend)
	}
	return slices.DeleteFunc(samplers, func(s *Sampler) bool { return s == nil })
}

// Shading selects whether light has an effect on a material.
type Shading uint8

// The shadings. A material with only a name has UnknownShading.
const (
	UnknownShading Shading = iota
	Lit
	Unlit
)

// AlphaMode is the effect of alpha.
type AlphaMode uint8

// The alpha modes.
const (
	Opaque AlphaMode = iota
	AlphaBlend
	AlphaDiscard
)

// Cull selects the sides of triangles that are not drawn. The front is the side on which the corners are
// counterclockwise.
type Cull uint8

// The values of Cull.
const (
	CullNone Cull = iota
	CullBack
	CullFront
	CullBoth
)

// Sampler describes how a material reads a texture. The coordinates of a vertex are multiplied by Repeat, then Offset
// is added; v points up the picture, or down with Texture.Down.
type Sampler struct {
	Name           string // the material's name for it: u_diffuseTexture
	Texture        *Texture
	Set            int // the set of the vertex's texture coordinates
	WrapS, WrapT   Wrap
	Min, Mag       Filter
	Mipmap         Mipmap
	Repeat, Offset [2]float32
}

// Wrap selects the color beyond the edges of a texture.
type Wrap uint8

// The wraps.
const (
	WrapRepeat Wrap = iota
	WrapClamp
	WrapMirror
)

// Filter selects the color between pixels.
type Filter uint8

// The filters.
const (
	Linear Filter = iota
	Nearest
)

// Mipmap selects the mip levels to use where a texture is minified.
type Mipmap uint8

// The uses of mipmaps.
const (
	NoMipmap Mipmap = iota
	NearestMipmap
	LinearMipmap
)

// Texture is a picture that materials use; several may use the same one. It is read on demand.
type Texture struct {
	Name string // in the material: res/png/duck.png, @floor
	Path string // of the file that was found, from the root of the project; empty if not found
	// Down means that the coordinate v points down the picture: 0 is its top row, as with compressed textures.
	// Otherwise 0 is its bottom row.
	Down bool
	// Missing is the reason why there is no picture, a sentence, or "".
	Missing string
	// Substitution is a sentence if another picture is used than the one called Name, or "".
	Substitution string
	// MediaType is the type of the bytes that Open returns: image/png is copied into other files unchanged.
	MediaType string
	// Open returns the bytes of the file.
	Open func(ctx context.Context) (io.ReadCloser, error)
	// Image decodes the picture, the first row on top. Its size is bounded, and it is not cached.
	Image func(ctx context.Context) (image.Image, error)
}

// Clip is a named range of an animation.
type Clip struct {
	Name       string
	Start, End float32 // in seconds
	Speed      float32 // 1 as recorded; below 0 from its end to its start
}
