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

type Gltf = {
  accessors?: { count?: number }[]
  buffers?: { uri?: string }[]
  nodes?: { mesh?: number; extensions?: Record<string, unknown> }[]
  meshes?: { primitives?: { indices?: number; attributes?: { POSITION?: number }; targets?: unknown[] }[] }[]
  images?: { bufferView?: number; mimeType?: string }[]
  bufferViews?: { byteOffset?: number; byteLength?: number }[]
}

function checkShapes({ accessors = [], buffers = [], nodes = [], meshes = [] }: Gltf, limits: ModelLimits): void {
  // The loader repeats a part by this extension also where the file does not declare it.
  if (nodes.some(({ extensions }) => extensions?.['EXT_mesh_gpu_instancing'] !== undefined)) throw new ModelTooLarge('repeated parts')
  // The loader would request it, with the cookies of the page.
  if (buffers.some(({ uri }) => uri !== undefined)) throw new Error('a buffer outside the file')
  const sizeOf = (accessor: number | undefined) => accessors[accessor ?? -1]?.count ?? 0
  const parts = nodes.flatMap(({ mesh = -1 }) => meshes[mesh]?.primitives ?? [])
  const vertices = sum(
    parts.map(
      ({ indices, attributes, targets = [] }) => sizeOf(indices ?? attributes?.POSITION) + targets.length * sizeOf(attributes?.POSITION),
    ),
  )
  if (sum(accessors.map(({ count = 0 }) => count)) > limits.elements) throw new ModelTooLarge('elements')
  if (vertices > limits.drawnVertices || parts.length > limits.drawnParts) throw new ModelTooLarge('vertices or parts')
}

/** The browser reads the size of a picture without decoding it. */
async function checkTextures({ images = [], bufferViews = [] }: Gltf, binary: Blob, limits: ModelLimits): Promise<void> {
  if (images.length > limits.textures) throw new ModelTooLarge('textures')
  let pixels = 0
  for (const { bufferView, mimeType = '' } of images) {
    const view = bufferViews[bufferView ?? -1]
    // A picture in a data URI, which no exporter of this format writes.
    if (!view) throw new Error('a texture outside the binary part')
    const from = view.byteOffset ?? 0
    pixels += await pixelsOf(binary.slice(from, from + (view.byteLength ?? 0), mimeType))
    if (pixels > limits.texturePixels) throw new ModelTooLarge('texture pixels')
  }
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
