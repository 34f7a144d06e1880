package scene

// The JSON of glTF 2.0, as far as it is written. https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html

type gltf struct {
	Asset          gltfAsset            `json:"asset"`
	ExtensionsUsed []string             `json:"extensionsUsed,omitempty"`
	Extensions     *gltfLights          `json:"extensions,omitempty"`
	Scene          int                  `json:"scene"`
	Scenes         []gltfScene          `json:"scenes"`
	Nodes          []gltfNode           `json:"nodes,omitempty"`
	Meshes         []gltfMesh           `json:"meshes,omitempty"`
	Materials      []gltfMaterial       `json:"materials,omitempty"`
	Textures       []gltfTexture        `json:"textures,omitempty"`
	Images         []gltfImage          `json:"images,omitempty"`
	Samplers       []gltfTextureSampler `json:"samplers,omitempty"`
	Skins          []gltfSkin           `json:"skins,omitempty"`
	Cameras        []gltfCamera         `json:"cameras,omitempty"`
	Animations     []gltfAnimation      `json:"animations,omitempty"`
	Accessors      []gltfAccessor       `json:"accessors,omitempty"`
	BufferViews    []gltfBufferView     `json:"bufferViews,omitempty"`
	Buffers        []gltfBuffer         `json:"buffers,omitempty"`
}

type gltfAsset struct {
	Version   string `json:"version"`
	Generator string `json:"generator"`
}

type gltfScene struct {
	Name   string         `json:"name,omitempty"`
	Nodes  []int          `json:"nodes,omitempty"`
	Extras map[string]any `json:"extras,omitempty"`
}

type gltfNode struct {
	Name        string       `json:"name,omitempty"`
	Children    []int        `json:"children,omitempty"`
	Matrix      *Matrix      `json:"matrix,omitempty"`
	Translation *[3]float32  `json:"translation,omitempty"`
	Rotation    *[4]float32  `json:"rotation,omitempty"`
	Scale       *[3]float32  `json:"scale,omitempty"`
	Mesh        *int         `json:"mesh,omitempty"`
	Skin        *int         `json:"skin,omitempty"`
	Camera      *int         `json:"camera,omitempty"`
	Extensions  *gltfLightOf `json:"extensions,omitempty"`
}

type gltfLightOf struct {
	Lights struct {
		Light int `json:"light"`
	} `json:"KHR_lights_punctual"`
}

type gltfLights struct {
	Lights struct {
		Lights []gltfLight `json:"lights"`
	} `json:"KHR_lights_punctual"`
}

type gltfLight struct {
	Name      string     `json:"name,omitempty"`
	Type      string     `json:"type"`
	Color     [3]float32 `json:"color"`
	Intensity float32    `json:"intensity"`
	Range     float32    `json:"range,omitempty"`
	Spot      *gltfSpot  `json:"spot,omitempty"`
}

type gltfSpot struct {
	Inner float64 `json:"innerConeAngle"`
	Outer float64 `json:"outerConeAngle"`
}

type gltfMesh struct {
	Name       string          `json:"name,omitempty"`
	Primitives []gltfPrimitive `json:"primitives"`
}

type gltfPrimitive struct {
	Attributes map[string]int `json:"attributes"`
	Indices    *int           `json:"indices,omitempty"`
	Material   *int           `json:"material,omitempty"`
	Mode       Primitive      `json:"mode"`
}

type gltfMaterial struct {
	Name        string           `json:"name,omitempty"`
	PBR         gltfPBR          `json:"pbrMetallicRoughness"`
	Normal      *gltfTextureInfo `json:"normalTexture,omitempty"`
	Glow        *[3]float32      `json:"emissiveFactor,omitempty"`
	GlowTexture *gltfTextureInfo `json:"emissiveTexture,omitempty"`
	AlphaMode   string           `json:"alphaMode,omitempty"`
	AlphaCutoff *float32         `json:"alphaCutoff,omitempty"`
	DoubleSided bool             `json:"doubleSided,omitempty"`
	Extensions  *gltfShading     `json:"extensions,omitempty"`
	isDefault   bool             // the exporter added it: no material of the scene is its source
}

type gltfPBR struct {
	BaseColor   *[4]float32      `json:"baseColorFactor,omitempty"`
	BaseTexture *gltfTextureInfo `json:"baseColorTexture,omitempty"`
	Metallic    float32          `json:"metallicFactor"`
	Roughness   *float32         `json:"roughnessFactor,omitempty"`
}

type gltfShading struct {
	Unlit    *struct{}     `json:"KHR_materials_unlit,omitempty"`
	Specular *gltfSpecular `json:"KHR_materials_specular,omitempty"`
}

type gltfSpecular struct {
	Factor float32 `json:"specularFactor"`
}

type gltfTextureInfo struct {
	Index int `json:"index"`
}

type gltfTexture struct {
	Sampler int `json:"sampler"`
	Source  int `json:"source"`
}

type gltfTextureSampler struct {
	Mag   int `json:"magFilter"`
	Min   int `json:"minFilter"`
	WrapS int `json:"wrapS"`
	WrapT int `json:"wrapT"`
}

type gltfImage struct {
	Name      string `json:"name,omitempty"`
	View      int    `json:"bufferView"`
	MediaType string `json:"mimeType"`
}

type gltfSkin struct {
	Name    string `json:"name,omitempty"`
	Inverse int    `json:"inverseBindMatrices"`
	Joints  []int  `json:"joints"`
}

type gltfCamera struct {
	Name         string            `json:"name,omitempty"`
	Type         string            `json:"type"`
	Perspective  *gltfPerspective  `json:"perspective,omitempty"`
	Orthographic *gltfOrthographic `json:"orthographic,omitempty"`
}

type gltfPerspective struct {
	Aspect float32 `json:"aspectRatio,omitempty"`
	FOV    float32 `json:"yfov"`
	Far    float32 `json:"zfar,omitempty"`
	Near   float32 `json:"znear"`
}

type gltfOrthographic struct {
	X    float32 `json:"xmag"`
	Y    float32 `json:"ymag"`
	Far  float32 `json:"zfar"`
	Near float32 `json:"znear"`
}

type gltfAnimation struct {
	Name     string        `json:"name,omitempty"`
	Channels []gltfChannel `json:"channels"`
	Samplers []gltfSampler `json:"samplers"`
}

type gltfChannel struct {
	Sampler int        `json:"sampler"`
	Target  gltfTarget `json:"target"`
}

type gltfTarget struct {
	Node int    `json:"node"`
	Path string `json:"path"`
}

type gltfSampler struct {
	Input         int    `json:"input"`
	Interpolation string `json:"interpolation"`
	Output        int    `json:"output"`
}

// The component types of accessors.
const (
	gltfByte  = 5121 // all of them unsigned
	gltfShort = 5123
	gltfInt   = 5125
	gltfFloat = 5126
)

// gltfSizes are the sizes in bytes of component types.
var gltfSizes = map[int]int64{gltfByte: 1, gltfShort: 2, gltfInt: 4, gltfFloat: 4}

// gltfTypes maps the number of components of a value to the type of its accessor.
var gltfTypes = [...]string{1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}

// The uses of buffer views.
const (
	gltfVertices = 34962
	gltfIndices  = 34963
)

type gltfAccessor struct {
	View       int       `json:"bufferView"`
	Component  int       `json:"componentType"`
	Normalized bool      `json:"normalized,omitempty"`
	Count      int       `json:"count"`
	Type       string    `json:"type"`
	Min        []float64 `json:"min,omitempty"` // exactly the float32 values
	Max        []float64 `json:"max,omitempty"`
}

type gltfBufferView struct {
	Buffer int   `json:"buffer"`
	Offset int64 `json:"byteOffset"`
	Length int64 `json:"byteLength"`
	Target int   `json:"target,omitempty"`
}

type gltfBuffer struct {
	Length int64 `json:"byteLength"`
}
