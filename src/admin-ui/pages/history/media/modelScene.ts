import {
  Box3,
  CubeCamera,
  DirectionalLight,
  Group,
  HalfFloatType,
  LinearMipmapLinearFilter,
  LinearSRGBColorSpace,
  type Material,
  MathUtils,
  Mesh,
  MeshStandardMaterial,
  NeutralToneMapping,
  type Object3D,
  PerspectiveCamera,
  PMREMGenerator,
  Scene,
  Spherical,
  TextureLoader,
  Vector3,
  WebGLCubeRenderTarget,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js'
import { checkModel, type ModelLimits } from './checkModel.ts'

/** White and black models are visible on it, in both colour schemes. */
const backdrop = '#868b95'

const standardAngle = 40
const narrowAspect = 1.25

export type ModelScene = {
  /** Rotates by angles in radians: around the vertical axis, and over the top. */
  turn(around: number, over: number): void
  /** Multiplies the distance. */
  approach(factor: number): void
  /** Frees the resources of the graphics card. */
  close(): void
}

type ModelFile = { content: ArrayBuffer; mimeType: string; limits: ModelLimits }

/** Draws a model into a canvas, centred and fitted. Redraws only on changes. Throws as `stageModel` does. */
export async function openModelScene(canvas: HTMLCanvasElement, file: ModelFile): Promise<ModelScene> {
  const { renderer, scene, camera, close } = await stageModel(canvas, file)
  const controls = new OrbitControls(camera, canvas)
  controls.minDistance = 1
  controls.maxDistance = 10

  const draw = () => renderer.render(scene, camera)
  const fit = () => {
    const { clientWidth, clientHeight } = canvas
    renderer.setPixelRatio(Math.min(2, devicePixelRatio))
    renderer.setSize(clientWidth, clientHeight, false)
    camera.aspect = clientWidth / Math.max(1, clientHeight)
    camera.fov = viewAngle(camera.aspect)
    camera.updateProjectionMatrix()
    draw()
  }
  controls.addEventListener('change', draw)
  const resized = new ResizeObserver(fit)
  resized.observe(canvas)
  controls.update()
  fit()

  const place = new Spherical()
  const move = (change: (place: Spherical) => void) => {
    change(place.setFromVector3(camera.position))
    camera.position.setFromSpherical(place.makeSafe())
    controls.update()
    draw()
  }
  return {
    turn: (around, over) =>
      move((at) => {
        at.theta += around
        at.phi += over
      }),
    approach: (factor) => move((at) => void (at.radius *= factor)),
    close() {
      resized.disconnect()
      controls.dispose()
      close()
    },
  }
}

/**
 * A lit scene with the model in its centre, and a camera before it. `close` frees the resources of the graphics card. Throws for a file
 * that `checkModel` refuses, before it is loaded, and for files that it cannot read or draw.
 */
export async function stageModel(canvas: HTMLCanvasElement, { content, mimeType, limits }: ModelFile) {
  await checkModel(content, mimeType, limits)
  const model = mimeType === 'model/obj' ? readObj(content) : await readGlb(content)
  // Before the renderer, whose context only `close` frees: files without a shape are refused here.
  const shown = centred(model)
  const renderer = new WebGLRenderer({ canvas, antialias: true })
  renderer.setClearColor(backdrop)
  renderer.toneMapping = NeutralToneMapping
  const scene = new Scene()
  const light = lit(scene, renderer)
  scene.add(shown)
  const camera = new PerspectiveCamera(standardAngle, 1, 0.01, 100)
  camera.position.set(1.5, 1.1, 2.2)
  const close = () => {
    model.traverse(release)
    light.dispose()
    renderer.dispose()
  }
  return { renderer, scene, camera, close }
}

/** The vertical field of view in degrees. It grows in a narrow view, so that the sides of the model are not cut off. */
function viewAngle(aspect: number): number {
  const narrow = Math.max(1, narrowAspect / Math.max(0.1, aspect))
  return MathUtils.radToDeg(2 * Math.atan(narrow * Math.tan(MathUtils.degToRad(standardAngle / 2))))
}

async function readGlb(content: ArrayBuffer): Promise<Object3D> {
  const loader = new GLTFLoader()
  // Loads textures by image elements: the default loader fetches blob URLs, which the content security policy forbids.
  loader.register((parser) => {
    parser.textureLoader = new TextureLoader(parser.options.manager)
    return { name: 'pictures_by_element' }
  })
  const { scene } = await loader.parseAsync(content, '')
  return scene
}

function readObj(content: ArrayBuffer): Object3D {
  const model = new OBJLoader().parse(new TextDecoder().decode(content))
  const clay = new MeshStandardMaterial({ color: 0x9aa1ad, roughness: 0.8 })
  model.traverse((part) => {
    if (part instanceof Mesh) part.material = clay
  })
  return model
}

/** A neutral room light and a lamp, so that edges are visible. */
function lit(scene: Scene, renderer: WebGLRenderer) {
  const room = roomLight(renderer)
  scene.environment = room.texture
  scene.environmentIntensity = 0.55
  const lamp = new DirectionalLight(0xffffff, 1)
  lamp.position.set(2, 3, 2)
  scene.add(lamp)
  return room
}

/**
 * The light of a room, by roughness. The generator's own target has 256 pixels a side or more, which takes seconds without a graphics card.
 * This one has four levels, down to the smallest that the generator fills.
 */
function roomLight(renderer: WebGLRenderer): WebGLCubeRenderTarget {
  const side = 64
  const values = { type: HalfFloatType, colorSpace: LinearSRGBColorSpace }
  const picture = new WebGLCubeRenderTarget(side, values)
  const room = new RoomEnvironment()
  new CubeCamera(0.1, 100, picture).update(renderer, room)
  const light = new WebGLCubeRenderTarget(side, { ...values, minFilter: LinearMipmapLinearFilter, depthBuffer: false })
  const levels = [1, 2, 4, 8].map((part) => ({ width: side / part, height: side / part }))
  // The declared type is that of levels which come with their pixels.
  light.texture.mipmaps = levels as typeof light.texture.mipmaps
  light.texture.isPMREMTexture = true
  const generator = new PMREMGenerator(renderer)
  generator.fromCubemap(picture.texture, light)
  generator.dispose()
  room.dispose()
  picture.dispose()
  return light
}

/** Centres the model and scales its longest side to 1.6. */
function centred(model: Object3D): Object3D {
  const box = new Box3().setFromObject(model)
  const size = box.getSize(new Vector3())
  const longest = Math.max(size.x, size.y, size.z)
  if (!Number.isFinite(longest) || longest === 0) throw new Error('the model has no shape')
  model.position.sub(box.getCenter(new Vector3()))
  const holder = new Group().add(model)
  holder.scale.setScalar(1.6 / longest)
  return holder
}

function release(part: Object3D): void {
  if (!(part instanceof Mesh)) return
  part.geometry.dispose()
  const materials: Material[] = Array.isArray(part.material) ? part.material : [part.material]
  for (const material of materials) {
    for (const value of Object.values(material)) if (value?.isTexture === true) value.dispose()
    material.dispose()
  }
}
