/** A small file may describe a large scene. These limits are far above those of generated models of some megabytes. */
const limits = { elements: 3_000_000, drawnVertices: 3_000_000, drawnParts: 1000, textures: 32, texturePixels: 64_000_000 }

type Gltf = {
  accessors?: { count?: number }[]
  nodes?: { mesh?: number }[]
  meshes?: { primitives?: { indices?: number; attributes?: { POSITION?: number } }[] }[]
  images?: { bufferView?: number; mimeType?: string }[]
  bufferViews?: { byteOffset?: number; byteLength?: number }[]
  extensionsUsed?: string[]
}

/** Throws for a GLB that would take more memory or time than a preview is worth. */
export async function checkModel(content: ArrayBuffer): Promise<void> {
  const view = new DataView(content)
  const jsonBytes = view.getUint32(12, true)
  const gltf = JSON.parse(new TextDecoder().decode(new Uint8Array(content, 20, jsonBytes))) as Gltf
  if (gltf.extensionsUsed?.includes('EXT_mesh_gpu_instancing')) throw tooLarge()
  const { accessors = [], nodes = [], meshes = [] } = gltf
  const sizeOf = (accessor: number | undefined) => accessors[accessor ?? -1]?.count ?? 0
  const parts = nodes.flatMap(({ mesh = -1 }) => meshes[mesh]?.primitives ?? [])
  const vertices = sum(parts.map(({ indices, attributes }) => sizeOf(indices ?? attributes?.POSITION)))
  if (sum(accessors.map(({ count = 0 }) => count)) > limits.elements) throw tooLarge()
  if (vertices > limits.drawnVertices || parts.length > limits.drawnParts) throw tooLarge()
  await checkTextures(gltf, new Blob([new Uint8Array(content, Math.min(content.byteLength, 28 + jsonBytes))]))
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
