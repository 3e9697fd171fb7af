import { glbParts } from './glbParts.ts'
import { objLines } from './objLines.ts'

export type ModelLimits = { elements: number; drawnVertices: number; drawnParts: number; textures: number; texturePixels: number }

/** A small file may describe a large scene. These limits are far above those of generated models. */
export const modelLimits = {
  /** For a picture in a list, of a model of some megabytes. */
  preview: { elements: 3_000_000, drawnVertices: 3_000_000, drawnParts: 1000, textures: 32, texturePixels: 64_000_000 },
  /** For the model that a person has opened. Eight textures of 4096 × 4096 pixels fit. */
  viewer: { elements: 12_000_000, drawnVertices: 12_000_000, drawnParts: 4000, textures: 64, texturePixels: 136_000_000 },
} satisfies Record<string, ModelLimits>

/** Each light makes the program of every material longer: 200 take 14 s to compile without a graphics card, 16 take less than one. */
const lightsMax = 16

/** The scene of a model would take more memory or time than the browser should spend. */
export class ModelTooLarge extends Error {}

/** Checks a model before it is loaded. Throws {@link ModelTooLarge} above `limits`, and another error for a file of another structure. */
export async function checkModel(content: ArrayBuffer, mimeType: string, limits: ModelLimits): Promise<void> {
  if (mimeType === 'model/obj') return checkObj(new Uint8Array(content), limits)
  const { json, binary } = glbParts(content)
  const gltf = JSON.parse(new TextDecoder().decode(json)) as Gltf
  checkShapes(gltf, limits)
  await checkTextures(gltf, new Blob([binary]), limits)
}

/** As files have it: hostile ones have anything in place of a number or a list. */
type Gltf = {
  accessors?: { count?: unknown; min?: unknown; max?: unknown }[]
  buffers?: { uri?: string }[]
  nodes?: { mesh?: number; skin?: unknown; extensions?: Record<string, unknown> }[]
  meshes?: { primitives?: Primitive[]; isSkinnedMesh?: unknown }[]
  images?: { bufferView?: number; mimeType?: string }[]
  textures?: { source?: number; sampler?: number; extensions?: Record<string, { source?: number } | undefined> }[]
  bufferViews?: { byteOffset?: number; byteLength?: number }[]
}

type Primitive = { indices?: number; attributes?: { POSITION?: number }; targets?: unknown }

function checkShapes({ accessors = [], buffers = [], nodes = [], meshes = [] }: Gltf, limits: ModelLimits): void {
  // The loader repeats a part by this extension also where the file does not declare it.
  if (nodes.some(({ extensions }) => extensions?.['EXT_mesh_gpu_instancing'] !== undefined)) throw new ModelTooLarge('repeated parts')
  if (nodes.filter(({ extensions }) => extensions?.['KHR_lights_punctual'] !== undefined).length > lightsMax)
    throw new ModelTooLarge('lights')
  // The loader would request it, with the cookies of the page.
  if (buffers.some(({ uri }) => uri !== undefined)) throw new Error('a buffer outside the file')
  const counts = accessors.map(({ count = 0 }) => countOf(count))
  const sizeOf = (accessor: number | undefined) => counts[accessor ?? -1] ?? 0
  // The loader turns this member of a mesh into a skin as well.
  const isSkinned = nodes.some(({ skin }) => skin !== undefined) || meshes.some((mesh) => mesh.isSkinnedMesh !== undefined)
  const verticesOf = ({ indices, attributes: { POSITION: position } = {}, targets }: Primitive) => {
    const { min, max } = accessors[position ?? -1] ?? {}
    const drawn = sizeOf(indices ?? position)
    // To find its size, the loader reads all positions of such a part, however few of them are drawn.
    const read = isSkinned || min === undefined || max === undefined ? sizeOf(position) : 0
    return Math.max(drawn, read) + lengthOf(targets) * sizeOf(position)
  }
  const parts = nodes.flatMap(({ mesh = -1 }) => meshes[mesh]?.primitives ?? [])
  const vertices = sum(parts.map(verticesOf))
  if (sum(counts) > limits.elements) throw new ModelTooLarge('elements')
  if (vertices > limits.drawnVertices || parts.length > limits.drawnParts) throw new ModelTooLarge('vertices or parts')
}

/** Anything else would make the sums less than what is drawn, or no number, which is above no limit. */
function countOf(count: unknown): number {
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) throw new Error('a count that is none')
  return count
}

function lengthOf(targets: unknown): number {
  if (targets !== undefined && !Array.isArray(targets)) throw new Error('targets that are no list')
  return targets?.length ?? 0
}

/** The browser reads the size of a picture without decoding it. */
async function checkTextures(gltf: Gltf, binary: Blob, limits: ModelLimits): Promise<void> {
  const { images = [], bufferViews = [] } = gltf
  const copies = copiesOf(gltf)
  if (sum(copies) > limits.textures) throw new ModelTooLarge('textures')
  let pixels = 0
  for (const [at, { bufferView, mimeType = '' }] of images.entries()) {
    const view = bufferViews[bufferView ?? -1]
    // A picture in a data URI, which no exporter of this format writes.
    if (!view) throw new Error('a texture outside the binary part')
    const from = view.byteOffset ?? 0
    pixels += (copies[at] ?? 1) * (await pixelsOf(binary.slice(from, from + (view.byteLength ?? 0), mimeType)))
    if (pixels > limits.texturePixels) throw new ModelTooLarge('texture pixels')
  }
}

/** How often each picture is on the graphics card: once for each way to sample it. */
function copiesOf({ images = [], textures = [] }: Gltf): number[] {
  const samplers = images.map(() => new Set<unknown>())
  for (const { source, sampler, extensions = {} } of textures)
    for (const image of [source, ...Object.values(extensions).map((extension) => extension?.source)]) samplers[image ?? -1]?.add(sampler)
  return samplers.map(({ size }) => Math.max(1, size))
}

async function pixelsOf(picture: Blob): Promise<number> {
  const url = URL.createObjectURL(picture)
  try {
    return await new Promise<number>((resolve, reject) => {
      const image = new Image()
      image.addEventListener('load', () => resolve(image.naturalWidth * image.naturalHeight))
      image.addEventListener('error', () => reject(new Error('a texture cannot be read')))
      image.src = url
    })
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Counts without the loader, whose lists take many times the memory of the text: a face of n corners becomes n − 2 triangles. */
function checkObj(text: Uint8Array, { drawnVertices, drawnParts }: ModelLimits): void {
  let vertices = 0
  let parts = 0
  for (const { start, words } of objLines(text)) {
    if ('flp'.includes(start)) vertices += Math.max(words - 1, 3 * (words - 3))
    if ('ogu'.includes(start)) parts += 1
    if (vertices > drawnVertices || parts > drawnParts) throw new ModelTooLarge('vertices or parts')
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
