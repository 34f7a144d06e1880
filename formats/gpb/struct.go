package gpb

import (
	"assay/formats/decode"
	"assay/model"
)

// TypeID is the number of an object's type in the reference table.
type TypeID uint32

// The types of objects. The engine's own constants for Model and Effect were 10 and 18 for a while; no file has them.
const (
	TypeScene            TypeID = 1
	TypeNode             TypeID = 2
	TypeAnimations       TypeID = 3
	TypeAnimation        TypeID = 4
	TypeAnimationChannel TypeID = 5
	TypeModel            TypeID = 11
	TypeMaterial         TypeID = 16
	TypeEffect           TypeID = 17
	TypeCamera           TypeID = 32
	TypeLight            TypeID = 33
	TypeMesh             TypeID = 34
	TypeMeshPart         TypeID = 35
	TypeMeshSkin         TypeID = 36
	TypeFont             TypeID = 128
)

var typeNames = decode.Names{
	1: "Scene", 2: "Node", 3: "Animations", 4: "Animation", 5: "AnimationChannel", 11: "Model", 16: "Material",
	17: "Effect", 32: "Camera", 33: "Light", 34: "Mesh", 35: "MeshPart", 36: "MeshSkin", 128: "Font",
}

// String is the type's name in the document, or empty.
func (t TypeID) String() string { return typeNames[uint64(t)] }

var (
	nodeTypes      = decode.Names{1: "NODE", 2: "JOINT"}
	cameraTypes    = decode.Names{0: "none", 1: "perspective", 2: "orthographic"}
	lightTypes     = decode.Names{0: "none", 1: "directional", 2: "point", 3: "spot"}
	fontStyles     = decode.Names{0: "PLAIN", 1: "BOLD", 2: "ITALIC", 4: "BOLD_ITALIC"}
	fontFormats    = decode.Names{0: "BITMAP", 1: "DISTANCE_FIELD"}
	primitiveTypes = decode.Names{0: "POINTS", 1: "LINES", 3: "LINE_STRIP", 4: "TRIANGLES", 5: "TRIANGLE_STRIP"}
	indexFormats   = decode.Names{0x1401: "INDEX8", 0x1403: "INDEX16", 0x1405: "INDEX32"}
	vertexUsages   = decode.Names{1: "POSITION", 2: "NORMAL", 3: "COLOR", 4: "TANGENT", 5: "BINORMAL", 6: "BLENDWEIGHTS",
		7: "BLENDINDICES", 8: "TEXCOORD0", 9: "TEXCOORD1", 10: "TEXCOORD2", 11: "TEXCOORD3", 12: "TEXCOORD4",
		13: "TEXCOORD5", 14: "TEXCOORD6", 15: "TEXCOORD7"}
	interpolations   = decode.Names{1: "LINEAR", 2: "BEZIER", 3: "CARDINAL", 4: "HERMITE", 5: "BSPLINE", 6: "STEP"}
	targetAttributes = decode.Names{0: "none", 1: "SCALE", 2: "SCALE_X", 3: "SCALE_Y", 4: "SCALE_Z", 5: "SCALE_XY",
		6: "SCALE_XZ", 7: "SCALE_YZ", 8: "ROTATE", 9: "TRANSLATE", 10: "TRANSLATE_X", 11: "TRANSLATE_Y", 12: "TRANSLATE_Z",
		13: "TRANSLATE_XY", 14: "TRANSLATE_XZ", 15: "TRANSLATE_YZ", 16: "ROTATE_TRANSLATE", 17: "SCALE_ROTATE_TRANSLATE",
		18: "SCALE_TRANSLATE", 19: "SCALE_ROTATE", 20: "ROTATE_Z"}
)

// File is the typed content of a bundle.
type File struct {
	References []Reference
	Scenes     []*Scene
	Nodes      []*Node // nodes that stand on their own, outside of any scene
	Meshes     []*Mesh
	Animations []*Animation
	Fonts      []*Font
	Effects    []*Effect
}

// Reference is a row of the reference table. Offset 0 means registered, but not stored.
type Reference struct {
	ID     string
	Type   TypeID
	Offset uint32 // from the start of the file
}

// Scene is a tree of nodes.
type Scene struct {
	ID           string
	Nodes        []*Node
	ActiveCamera string // xref of the node that has the camera, or empty
	Ambient      [3]float32
}

// Node is a place in a scene. Transform is column-major: the translation is in elements 12, 13, 14.
type Node struct {
	ID        string
	Joint     bool
	Transform [16]float32
	Parent    string
	Children  []*Node
	Camera    *Camera
	Light     *Light
	Model     *Model
}

// Camera looks along its node's negative z axis. FieldOfView is in degrees; Width and Height are the view's width and height.
type Camera struct {
	ID                string
	Orthographic      bool
	Aspect, Near, Far float32
	FieldOfView       float32
	Width, Height     float32
}

// Light shines along its node's negative z axis. Angles are in radians. Attenuation is what 1.0 had instead of a range.
type Light struct {
	ID                     string
	Kind                   uint8 // 1 directional, 2 point, 3 spot
	Color                  [3]float32
	Range                  float32
	InnerAngle, OuterAngle float32
	Attenuation            [3]float32
}

// Model ties a mesh to a node.
type Model struct {
	Mesh      string // xref
	Skin      *Skin
	Materials []string // names, one for each part or one for all
}

// Skin binds a mesh to joints. BindPoses has a column-major inverse bind matrix for each joint.
type Skin struct {
	BindShape [16]float32
	Joints    []string // xrefs
	BindPoses model.Numbers
}

// VertexElement is one attribute of a vertex: Size floats.
type VertexElement struct {
	Usage uint32
	Size  uint32
}

// Mesh is vertices and the parts that index them.
type Mesh struct {
	ID       string
	Format   []VertexElement
	Stride   int64      // bytes a vertex
	Vertices model.Blob // interleaved floats
	Min, Max [3]float32
	Center   [3]float32
	Radius   float32
	Parts    []MeshPart
}

// MeshPart is a list of indices.
type MeshPart struct {
	Primitive uint32
	Indices   model.Numbers
}

// Animation is a set of channels.
type Animation struct {
	ID       string
	Channels []Channel
}

// Channel moves one node. Times are milliseconds, u32 or f32.
type Channel struct {
	Target        string // id of a node
	Attribute     uint32
	Times         model.Numbers
	Values        model.Numbers
	Interpolation model.Numbers
}

// Font is glyphs in one or more sizes.
type Font struct {
	ID     string
	Family string
	Style  uint32
	Sizes  []FontSize
}

// FontSize is one size of a font: glyphs, and the picture they are in, a byte a pixel, rows from the top.
type FontSize struct {
	Size          uint32
	Charset       string
	Glyphs        int64
	glyphAt       int64 // offset of the first glyph
	wide          bool  // glyphs have bearing and advance
	Width, Height uint32
	Map           model.Blob
	DistanceField bool
}

// Effect is a pair of shaders.
type Effect struct {
	ID               string
	Vertex, Fragment string
}
