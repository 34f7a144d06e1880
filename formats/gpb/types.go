package gpb

import (
	"iter"

	"assay/formats/decode"
	"assay/model"
)

// TypeID is the number of an object's type in the reference table.
type TypeID uint32

// The types of objects. The engine's own constants for Model and Effect were 10 and 18 for a while; no file examined
// has them.
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

// String returns the type's name in the document, or empty.
func (t TypeID) String() string { return typeNames[uint64(t)] }

// The kinds of node and of camera that make a difference.
const (
	jointNode          = 2
	perspectiveCamera  = 1
	orthographicCamera = 2
)

// The enumerations of the document, with the numbers that it does not give.
var (
	nodeTypes   = decode.Names{1: "NODE", jointNode: "JOINT"}
	cameraTypes = decode.Names{0: "none", perspectiveCamera: "perspective", orthographicCamera: "orthographic"}
	lightTypes  = decode.Names{0: "none", Directional: "directional", Point: "point", Spot: "spot"}
	fontStyles  = decode.Names{0: "PLAIN", Bold: "BOLD", Italic: "ITALIC", BoldItalic: "BOLD_ITALIC"}
	fontFormats = decode.Names{0: "BITMAP", DistanceField: "DISTANCE_FIELD"}

	primitiveTypes = decode.Names{Points: "POINTS", Lines: "LINES", LineStrip: "LINE_STRIP", Triangles: "TRIANGLES",
		TriangleStrip: "TRIANGLE_STRIP"}
	indexFormats = decode.Names{Index8: "INDEX8", Index16: "INDEX16", Index32: "INDEX32"}

	vertexUsages = decode.Names{Position: "POSITION", Normal: "NORMAL", Color: "COLOR", Tangent: "TANGENT",
		Binormal: "BINORMAL", BlendWeights: "BLENDWEIGHTS", BlendIndices: "BLENDINDICES", TexCoord0: "TEXCOORD0",
		9: "TEXCOORD1", 10: "TEXCOORD2", 11: "TEXCOORD3", 12: "TEXCOORD4", 13: "TEXCOORD5", 14: "TEXCOORD6",
		TexCoord7: "TEXCOORD7"}

	interpolations = decode.Names{1: "LINEAR", 2: "BEZIER", 3: "CARDINAL", 4: "HERMITE", 5: "BSPLINE", 6: "STEP"}

	// 5 to 7, 13 to 15 and 20 are of 2011 and 2012; 18 and 19 meant ROTATE_X and ROTATE_Y for a while.
	targetAttributes = decode.Names{0: "none",
		1: "SCALE", 2: "SCALE_X", 3: "SCALE_Y", 4: "SCALE_Z", 5: "SCALE_XY", 6: "SCALE_XZ", 7: "SCALE_YZ",
		8: "ROTATE",
		9: "TRANSLATE", 10: "TRANSLATE_X", 11: "TRANSLATE_Y", 12: "TRANSLATE_Z", 13: "TRANSLATE_XY",
		14: "TRANSLATE_XZ", 15: "TRANSLATE_YZ",
		16: "ROTATE_TRANSLATE", 17: "SCALE_ROTATE_TRANSLATE", 18: "SCALE_TRANSLATE", 19: "SCALE_ROTATE",
		20: "ROTATE_Z"}
)

// The numbers of a mesh part's primitive and index format.
const (
	Points        = 0
	Lines         = 1
	LineStrip     = 3
	Triangles     = 4
	TriangleStrip = 5

	Index8  = 0x1401
	Index16 = 0x1403
	Index32 = 0x1405
)

// The numbers of the uses of a vertex element. Those of texture coordinates follow one another.
const (
	Position     = 1
	Normal       = 2
	Color        = 3
	Tangent      = 4
	Binormal     = 5
	BlendWeights = 6
	BlendIndices = 7
	TexCoord0    = 8
	TexCoord7    = 15
)

// The minimum sizes of the elements of lists, in bytes: a count is checked against the remaining bytes.
const (
	minUintSize          = 4
	minStringSize        = 4
	minObjectSize        = 4  // an Animation of October 2011, without channels
	minReferenceSize     = 12 // an empty id
	minNodeSize          = 78 // no parent_id, no children; no camera, light and model
	minAnimationSize     = 8
	minChannelSize       = 28
	minMeshSize          = 52
	minMeshPartSize      = 12
	minVertexElementSize = 8
	minMaterialSize      = 8
	minParameterSize     = 12
	minFontSizeSize      = 24
)

// File is the typed content of a bundle. Each ID is from the object's reference, or empty without a reference.
type File struct {
	References []Reference
	Container  Container
	Meshes     []*Mesh  // the first of TwoLists
	Objects    []Object // the second of TwoLists, or all objects
	Recovered  []Object // objects of a damaged file that have references, but are in no list
	Exporter   bool     // the exporter of 2013 wrote it, which stores the blue of a light before its green
}

// AllObjects returns the objects of the file in their order: both lists, then the recovered objects.
func (f *File) AllObjects() []Object {
	var objects []Object
	for _, m := range f.Meshes {
		objects = append(objects, m)
	}
	return append(append(objects, f.Objects...), f.Recovered...)
}

// All returns the objects of type T in a file, in the order of AllObjects.
func All[T Object](f *File) (objects []T) {
	for _, o := range f.AllObjects() {
		if object, ok := o.(T); ok {
			objects = append(objects, object)
		}
	}
	return objects
}

// AllNodes returns the nodes of the file, including nested ones.
func (f *File) AllNodes() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		var todo []*Node
		for _, o := range f.AllObjects() {
			switch o := o.(type) {
			case *Scene:
				todo = append(todo[:0], o.Nodes...)
			case *Node:
				todo = append(todo[:0], o)
			}
			for len(todo) > 0 {
				n := todo[len(todo)-1]
				todo = append(todo[:len(todo)-1], n.Children...)
				if !yield(n) {
					return
				}
			}
		}
	}
}

// AllAnimations returns all animations of the file, including animations of October 2011, which are in no container.
func (f *File) AllAnimations() []*Animation {
	var animations []*Animation
	for _, o := range f.AllObjects() {
		switch o := o.(type) {
		case *Animations:
			animations = append(animations, o.List...)
		case *Animation:
			animations = append(animations, o)
		}
	}
	return animations
}

// Container selects how the objects follow the reference table.
type Container uint8

// The containers. TwoLists is two lists with counts, of meshes and of other objects, as in scene files. OneList is the
// single list of the published document. NoList is objects without counts, as in font files and the exporter's files.
const (
	TwoLists Container = iota
	OneList
	NoList
)

// Object is one of *Scene, *Node, *Animations, *Animation, *Channel, *Model, *Material, *Effect, *Camera, *Light,
// *Mesh, *MeshPart, *Skin and *Font.
type Object any

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
	Span         model.Span
}

// Node is a node of a scene. Transform is column-major: the translation is in elements 12, 13, 14.
type Node struct {
	ID        string
	Joint     bool
	Transform [16]float32
	Parent    string // id; since 1.2
	Children  []*Node
	Camera    *Camera
	Light     *Light
	Model     *Model
	Offset    int64 // in the file
}

// Camera looks along its node's negative z axis. FieldOfView is in degrees; Width and Height are the size of the view.
type Camera struct {
	ID                string
	Orthographic      bool
	Aspect, Near, Far float32
	FieldOfView       float32
	Width, Height     float32
}

// The kinds of light.
const (
	Directional = 1
	Point       = 2
	Spot        = 3
)

// Light shines along its node's negative z axis. Angles are in radians. Early files of 1.0 have Attenuation (constant,
// linear, quadratic) and the falloff instead of a range and angles.
type Light struct {
	ID                            string
	Kind                          uint8
	Color                         [3]float32
	Range                         float32
	InnerAngle, OuterAngle        float32
	Attenuation                   [3]float32
	FalloffAngle, FalloffExponent float32
}

// Model attaches a mesh to a node.
type Model struct {
	ID        string
	Mesh      string // xref
	Skin      *Skin
	Materials []string    // names, one for each part or one for all
	Inline    []*Material // in the layout of the document
}

// Skin binds a mesh to joints. BindPoses has a column-major inverse bind matrix for each joint.
type Skin struct {
	ID        string
	BindShape [16]float32
	RootJoint string   // id; October 2011 only
	Joints    []string // xrefs
	BindPoses model.Numbers
	Bounds    Bounds // as the document has it

	Span model.Span
}

// Material is parameters for an effect, as the document has it.
type Material struct {
	ID         string
	Parameters []Parameter
	Effect     string // xref
}

// Parameter is a value that a material gives its effect.
type Parameter struct {
	Name  string
	Value model.Numbers
	Type  uint32
}

// Effect is a pair of shaders. A shader over 16 MiB has only its span.
type Effect struct {
	ID                       string
	Vertex, Fragment         string
	VertexSpan, FragmentSpan model.Span // without the lengths before the texts
	Span                     model.Span
}

// VertexElement is one attribute of a vertex: Size floats.
type VertexElement struct {
	Usage uint32
	Size  uint32
}

// Bounds is a bounding box and a bounding sphere.
type Bounds struct {
	Min, Max [3]float32
	Center   [3]float32
	Radius   float32
}

// Mesh is vertices and the parts that index them.
type Mesh struct {
	ID       string
	Format   []VertexElement
	Stride   int64      // bytes a vertex
	Vertices model.Blob // interleaved floats
	Bounds   Bounds
	Parts    []*MeshPart
	Surplus  model.Numbers // indices that the exporter of 2013 did not count
	Span     model.Span
}

// MeshPart is a list of indices.
type MeshPart struct {
	ID          string
	Primitive   uint32
	IndexFormat uint32
	Indices     model.Numbers
	Span        model.Span
}

// Animations is the container of all animations.
type Animations struct {
	ID   string
	List []*Animation
}

// Animation is a set of channels.
type Animation struct {
	ID       string
	Name     string // the stored id; files of October 2011 store no id
	Channels []*Channel
	Span     model.Span
}

// Channel animates one node. Times are milliseconds, u32, or f32 in early 1.0.
type Channel struct {
	ID            string
	Target        string // id of a node
	OneAngle      bool   // a key has one value, an angle, although the attribute has another meaning in later versions
	Attribute     uint32
	Times         model.Numbers
	Values        model.Numbers
	TangentsIn    model.Numbers
	TangentsOut   model.Numbers
	Interpolation model.Numbers // one for all keys, or one for each

	Span model.Span
}

// The numbers of the styles of a font that are not plain.
const (
	Bold       = 1
	Italic     = 2
	BoldItalic = 4
)

// FontSizeType is the type of the nodes of font sizes.
const FontSizeType = "FontSize"

// DistanceField is the FontSize.Format of a picture with values that are distances from outlines.
const DistanceField = 1

// Font is glyphs in one or more sizes.
type Font struct {
	ID        string
	Family    string
	Style     uint32
	Sizes     []*FontSize
	Unicode   bool          // File holds the glyphs, and Sizes is empty: a fork of the engine has it
	FileSizes model.Numbers // the sizes that File is for
	File      model.Blob    // a TrueType file
	Span      model.Span
}

// FontSize is one size of a font: glyphs, and the picture they are in, a byte a pixel, rows from the top.
type FontSize struct {
	Size          uint32
	Charset       string
	Glyphs        Glyphs
	Width, Height uint32
	Map           model.Blob
	Format        uint32 // DistanceField, or 0; since 1.3
	Span          model.Span
}
