package scene

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
)

const lightsExtension = "KHR_lights_punctual"

// GLBOptions adapts the file to certain viewers.
type GLBOptions struct {
	KeepUp     bool // does not rotate a scene with z up to the y up of glTF
	FillLights bool // adds four faint lights to a scene with lights, because viewers then add no light of their own
	Unlit      bool // textured unlit materials use KHR_materials_unlit instead of emitting their color
}

// WriteGLB writes the scene as one binary file of glTF 2.0, and returns its losses. It holds the vertices of one mesh
// at a time, which it reads twice: for the JSON, which comes first, and for the bytes.
//
// A GLB should look as the scene is drawn: skinned meshes are in the first pose of their animation, and a scene with z
// up is rotated. Lights use KHR_lights_punctual; the material emits ambient light, which glTF lacks, and among lights
// about as much as the program's light beside the camera adds; and KHR_materials_specular removes highlights. A
// material with only a name has the color in which it is drawn. GLBOptions.FillLights adds four faint lights below the
// node "fill light" for the light beside the camera instead. Remaining differences:
//
//   - the viewer lights a scene without lights; f3d 1.3 shows 1/π of the color of a surface that faces its light, less
//     than half of the brightness in the program
//   - highlights are a dielectric's, without the color of the surface
//   - layers and light maps are not exported
//   - materials with only a name are lit by the lights of the scene, not from beside the camera; they emit some of
//     their color, so that they are not black where no light reaches
//   - VTK, and so f3d, ignores KHR_materials_specular, and KHR_materials_unlit for textures: textured unlit materials
//     emit their color instead, unless the colors of vertices, which emission does not have, color them
//   - Blender shows lights 683 times too dark unless the lighting mode of its import is Unitless: by default it
//     converts lumens to watts
//   - f3d 1.3 writes pictures without playing an animation
func (s *Scene) WriteGLB(ctx context.Context, out io.Writer, options GLBOptions) ([]string, error) {
	if !options.KeepUp {
		zUp, err := s.zUp(ctx)
		if err != nil {
			return nil, err
		}
		if zUp {
			s = s.rotatedUp()
		}
	}
	b := &glb{ctx: ctx, scene: s, options: options, report: newReport(), numberOf: make(map[*Node]int),
		geometries: make(map[geometry][]gltfPrimitive), pose: NewPose(s),
		meshes: make(map[string]int), materials: make(map[materialKey]int), skins: make(map[*Skin]*boundSkin),
		pictures: make(map[pictureKey]glbPicture), textures: make(map[gltfTexture]int),
		samplers: make(map[gltfTextureSampler]int), uvAccessors: make(map[uvKey]int)}
	var err error
	if b.appearances, err = s.newAppearances(make(fallback)); err != nil {
		return nil, err
	}
	b.doc.Asset = gltfAsset{"2.0", "Assay"}
	s.Walk(func(n *Node, _ Matrix) { b.hasLights = b.hasLights || n.Light != nil && n.Light.Color != [3]float32{} })
	b.pose.SetInitial(s)
	b.numberNodes()
	b.addExtras()
	b.findTargets()
	if err := b.addContents(); err != nil {
		return nil, err
	}
	if err := b.addAnimations(); err != nil {
		return nil, err
	}
	b.writeTransforms()
	return append(b.report.lines(), s.Missing...), b.write(out)
}

// glb is the state of writing a GLB file.
type glb struct {
	ctx     context.Context
	scene   *Scene
	options GLBOptions
	report  *report
	doc     gltf
	pieces  []piece // of the binary chunk, in order
	size    int64

	pose          *Pose   // the exported pose
	nodes         []*Node // by their numbers
	numberOf      map[*Node]int
	rootOf        []int // for each node, the root it is below
	hasLights     bool
	targeted      map[*Node]bool // by animations
	usesNormalMap map[*Mesh]bool // of a material on some node
	animated      map[int]bool   // nodes with an exported channel
	geometries    map[geometry][]gltfPrimitive
	meshes        map[string]int
	materials     map[materialKey]int
	appearances   *appearances
	pictures      map[pictureKey]glbPicture
	textures      map[gltfTexture]int
	samplers      map[gltfTextureSampler]int
	uvAccessors   map[uvKey]int // accessors of coordinates
	pictureBytes  int64         // bytes of pictures in memory
	skins         map[*Skin]*boundSkin

	lastMesh       *Mesh // the mesh of lastAttributes
	lastSkin       *boundSkin
	lastAttributes []attribute
}

// piece is a range of the binary chunk, which can be written repeatedly.
type piece struct {
	size  int64
	write func(w io.Writer) error
}

// numberNodes numbers the nodes and makes the scene of them. glTF requires a strict tree: a node with two parents stays
// under the first.
func (b *glb) numberNodes() {
	roots := b.addNodes(b.scene.Roots, -1)
	b.doc.Scenes = []gltfScene{{Name: b.scene.Name, Nodes: roots}}
	for i := 0; i < len(b.nodes); i++ {
		if skin := b.nodes[i].Skin; skin != nil {
			b.doc.Scenes[0].Nodes = append(b.doc.Scenes[0].Nodes, b.addJoints(skin)...)
		}
	}
}

// addExtras adds the properties of the scene that glTF lacks.
func (b *glb) addExtras() {
	extras := map[string]any{}
	if c := b.scene.ActiveCamera; c != nil {
		extras["activeCamera"] = c.Name
	}
	if a := b.scene.Ambient; a != [3]float32{} && finite(a[0]) && finite(a[1]) && finite(a[2]) {
		extras["ambientColor"] = a
	}
	if len(extras) > 0 {
		b.doc.Scenes[0].Extras = extras
	}
}

// addNodes adds nodes with their descendants and returns the numbers of the new ones.
func (b *glb) addNodes(list []*Node, top int) []int {
	add := func(list []*Node, top int) []int {
		var added []int
		for _, n := range list {
			if n == nil {
				continue
			}
			if _, ok := b.numberOf[n]; ok {
				b.report.add("nodes with two parents are kept under the first", n.Name)
				continue
			}
			i := len(b.nodes)
			b.numberOf[n] = i
			b.nodes = append(b.nodes, n)
			b.doc.Nodes = append(b.doc.Nodes, gltfNode{Name: n.Name})
			b.rootOf = append(b.rootOf, top)
			if top < 0 {
				b.rootOf[i] = i
			}
			added = append(added, i)
		}
		return added
	}
	next := len(b.nodes)
	added := add(list, top)
	for ; next < len(b.nodes); next++ {
		b.doc.Nodes[next].Children = add(b.nodes[next].Children, b.rootOf[next])
	}
	return added
}

// addContents adds the meshes, points, cameras and lights of nodes.
func (b *glb) addContents() error {
	b.addCommonRoot()
	b.findNormalMaps()
	for i := 0; i < len(b.nodes); i++ {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		n := b.nodes[i]
		if n.Mesh != nil && !n.Undrawn {
			if err := b.addMesh(i, n); err != nil {
				return err
			}
		}
		if n.Points != nil && n.Points.Count > 0 {
			mesh, err := b.addPoints(n.Points)
			if err != nil {
				return err
			}
			b.attach(i, func(g *gltfNode) **int { return &g.Mesh }, n.Points.Name, mesh)
		}
		if n.Camera != nil {
			if c, ok := b.cameraOf(n.Camera); ok {
				k := add(&b.doc.Cameras, c)
				b.doc.Nodes[i].Camera = &k
			}
		}
		if n.Light != nil {
			b.addLight(i, n.Light)
		}
	}
	if len(b.doc.Meshes) == 0 {
		b.addPlaceholderPoint()
	}
	if b.options.FillLights {
		b.addFillLights()
	}
	return nil
}

// addPlaceholderPoint adds a point to an empty scene: without any mesh assimp rejects a file, and VTK crashes on it.
func (b *glb) addPlaceholderPoint() {
	positions := b.addAccessor(gltfAccessor{Component: gltfFloat, Count: 1, Type: "VEC3", Min: make([]float64, 3),
		Max: make([]float64, 3)}, gltfVertices, func(w io.Writer) error { return writeFloats(w, 0, 0, 0) })
	const name = "nothing to draw"
	b.doc.Meshes = []gltfMesh{{name, []gltfPrimitive{{Attributes: map[string]int{"POSITION": positions},
		Mode: PointList}}}}
	k, mesh := b.addNode(name), 0
	b.doc.Nodes[k].Mesh = &mesh
	b.doc.Scenes[0].Nodes = append(b.doc.Scenes[0].Nodes, k)
}

// findTargets records the nodes that animations move.
func (b *glb) findTargets() {
	b.targeted = make(map[*Node]bool)
	for _, a := range b.scene.Animations {
		for _, c := range a.Channels {
			if c.isUsable() {
				b.targeted[c.Target] = true
			}
		}
	}
}

// attach sets a field of a node, or of a new child if the node's field is already set.
func (b *glb) attach(node int, field func(*gltfNode) **int, name string, index int) {
	if f := field(&b.doc.Nodes[node]); *f == nil {
		*f = &index
		return
	}
	b.doc.Nodes[node].Children = append(b.doc.Nodes[node].Children, b.addNode(name))
	*field(&b.doc.Nodes[len(b.doc.Nodes)-1]) = &index
}

// addNode adds a node that the scene does not have, after all others.
func (b *glb) addNode(name string) int { return add(&b.doc.Nodes, gltfNode{Name: name}) }

// writeTransforms writes the transforms of nodes in the pose, which viewers show if they do not play animations. An
// animated node has its transform in parts, and so has one with a matrix that is invalid in glTF because it cannot be
// decomposed exactly.
func (b *glb) writeTransforms() {
	for i, n := range b.nodes {
		m := b.pose.Local(n)
		if m == (Matrix{}) || m == Identity {
			if m == (Matrix{}) {
				b.report.add("zero matrices are dropped", n.Name)
			}
			continue
		}
		t, exact := m.Parts()
		const rounding = 5e-4 // of writers: no shear that is visible
		if !exact && !m.IsNear(t.Matrix(), rounding) {
			b.report.add("sheared or invalid transforms are replaced by the nearest translation, rotation, and scale",
				n.Name)
		}
		g := &b.doc.Nodes[i]
		hasZeroScale := t.Scale[0] == 0 || t.Scale[1] == 0 || t.Scale[2] == 0
		if exact && !b.animated[i] && !hasZeroScale {
			g.Matrix = &m
			continue
		}
		if t.Translation != [3]float32{} {
			g.Translation = &t.Translation
		}
		if t.Rotation != [4]float32{3: 1} {
			g.Rotation = &t.Rotation
		}
		if t.Scale != [3]float32{1, 1, 1} {
			g.Scale = &t.Scale
		}
	}
}

// addView adds a piece of the binary chunk and returns its number. Pieces begin at multiples of 4.
func (b *glb) addView(size int64, target int, write func(w io.Writer) error) int {
	b.pieces = append(b.pieces, piece{size, write})
	offset := b.size
	b.size += (size + 3) &^ 3
	return add(&b.doc.BufferViews, gltfBufferView{Offset: offset, Length: size, Target: target})
}

// addAccessor adds an accessor with a new view for its values, and returns its number.
func (b *glb) addAccessor(a gltfAccessor, target int, write func(w io.Writer) error) int {
	numbers := int64(a.Count * slices.Index(gltfTypes[:], a.Type))
	a.View = b.addView(numbers*gltfSizes[a.Component], target, write)
	return add(&b.doc.Accessors, a)
}

// add appends to a list of the document, and returns the number that the new element has in it.
func add[T any](list *[]T, item T) int {
	*list = append(*list, item)
	return len(*list) - 1
}

// addUnique adds an element to a list of the document if it is new, and returns its number.
func addUnique[T comparable](byKey map[T]int, list *[]T, item T) int {
	k, ok := byKey[item]
	if !ok {
		k = add(list, item)
		byKey[item] = k
	}
	return k
}

func (b *glb) write(out io.Writer) error {
	if b.size > 0 {
		b.doc.Buffers = []gltfBuffer{{b.size}}
	}
	text, err := json.Marshal(&b.doc)
	if err != nil {
		return fmt.Errorf("glb: %w", err)
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	total := 12 + 8 + int64(len(text))
	if b.size > 0 {
		total += 8 + b.size
	}
	if total > math.MaxUint32 {
		return fmt.Errorf("glb: the scene needs %d bytes, a GLB file can have %d", total, uint32(math.MaxUint32))
	}
	w := bufio.NewWriterSize(out, 64<<10)
	head := binary.LittleEndian.AppendUint32([]byte("glTF"), 2)
	head = binary.LittleEndian.AppendUint32(head, uint32(total))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	_, _ = w.Write(append(head, "JSON"...)) // errors stick until Flush
	_, _ = w.Write(text)
	if b.size > 0 {
		_, _ = w.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(b.size)), "BIN\x00"...))
	}
	b.report.quiet = true // the first pass has reported everything
	for _, p := range b.pieces {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		c := &counter{w: w}
		if err := p.write(c); err != nil {
			return err
		}
		if c.n != p.size {
			return fmt.Errorf("glb: the file changed while it was read: %d bytes instead of %d", c.n, p.size)
		}
		_, _ = w.Write(make([]byte, -p.size&3))
	}
	return w.Flush()
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
