/** A small file may describe a large scene. These limits are far above those of generated models of some megabytes. */
const limits = { elements: 3_000_000, drawnVertices: 3_000_000, drawnParts: 1000, textures: 32, texturePixels: 64_000_000 }

type Gltf = {
  accessors?: { count?: number }[]
  buffers?: { uri?: string }[]
  nodes?: { mesh?: number; extensions?: Record<string, unknown> }[]
  meshes?: { primitives?: { indices?: number; attributes?: { POSITION?: number }; targets?: unknown[] }[] }[]
  images?: { bufferView?: number; mimeType?: string }[]
  bufferViews?: { byteOffset?: number; byteLength?: number }[]
}

/** Throws for a GLB that would take more memory or time than a preview is worth. */
export async function checkModel(content: ArrayBuffer): Promise<void> {
  const { json, binary } = partsOf(content)
  const gltf = JSON.parse(new TextDecoder().decode(json)) as Gltf
  // The loader repeats a part by this extension also where the file does not declare it.
  if (gltf.nodes?.some(({ extensions }) => extensions?.['EXT_mesh_gpu_instancing'] !== undefined)) throw tooLarge()
  // The loader would request it, with the cookies of the page.
  if (gltf.buffers?.some(({ uri }) => uri !== undefined)) throw tooLarge()
  const { accessors = [], nodes = [], meshes = [] } = gltf
  const sizeOf = (accessor: number | undefined) => accessors[accessor ?? -1]?.count ?? 0
  const parts = nodes.flatMap(({ mesh = -1 }) => meshes[mesh]?.primitives ?? [])
  const vertices = sum(
    parts.map(
      ({ indices, attributes, targets = [] }) => sizeOf(indices ?? attributes?.POSITION) + targets.length * sizeOf(attributes?.POSITION),
    ),
  )
  if (sum(accessors.map(({ count = 0 }) => count)) > limits.elements) throw tooLarge()
  if (vertices > limits.drawnVertices || parts.length > limits.drawnParts) throw tooLarge()
  await checkTextures(gltf, new Blob([binary]))
}

const kinds = { json: 0x4e4f534a, binary: 0x004e4942 }

/** One JSON part and at most one binary part. The loader would use the last of several. */
function partsOf(content: ArrayBuffer) {
  const view = new DataView(content)
  const end = 20 + view.getUint32(12, true)
  const json = new Uint8Array(content, 20, end - 20)
  if (view.getUint32(16, true) !== kinds.json) throw new Error('a file of other parts')
  if (end === content.byteLength) return { json, binary: new Uint8Array() }
  const binary = new Uint8Array(content, end + 8, view.getUint32(end, true))
  if (end + 8 + binary.length !== content.byteLength || view.getUint32(end + 4, true) !== kinds.binary)
    throw new Error('a file of other parts')
  return { json, binary }
}

/** The browser reads the size of a picture without decoding it. */
async function checkTextures({ images = [], bufferViews = [] }: Gltf, binary: Blob): Promise<void> {
  if (images.length > limits.textures) throw tooLarge()
  let pixels = 0
  for (const { bufferView, mimeType = '' } of images) {
    const view = bufferViews[bufferView ?? -1]
    // A picture in a data URI, which no exporter of this format writes.
    if (!view) throw tooLarge()
    const from = view.byteOffset ?? 0
    pixels += await pixelsOf(binary.slice(from, from + (view.byteLength ?? 0), mimeType))
    if (pixels > limits.texturePixels) throw tooLarge()
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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function tooLarge(): Error {
  return new Error('too large for a preview')
}
