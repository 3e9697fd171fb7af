import { isObject, type JsonObject, type JsonValue } from './readBoundedJson.ts'
import { Unprocessable } from './unprocessable.ts'

/**
 * Checks that a glTF scene is self-contained: a known version, geometry, only `data:` URIs, and accessors inside views inside buffers.
 * `binaryBytes` is the size of the binary chunk, `undefined` without one.
 */
export function checkGltf(scene: JsonObject, binaryBytes: number | undefined): void {
  const asset = scene['asset']
  if (!isObject(asset) || typeof asset['version'] !== 'string' || !/^2\.\d+$/.test(asset['version'])) {
    throw new Unprocessable('corrupt', 'unknown version')
  }
  refuseAddresses(scene)
  if (listOf(scene, 'meshes').length === 0) throw new Unprocessable('no_content', 'no geometry')
  const buffers = listOf(scene, 'buffers').map((buffer, index) => checkBuffer(buffer, index === 0 ? binaryBytes : undefined))
  const views = listOf(scene, 'bufferViews').map((view) => checkView(view, buffers))
  for (const accessor of listOf(scene, 'accessors')) checkAccessor(accessor, views)
  for (const image of listOf(scene, 'images')) {
    if (image['bufferView'] !== undefined) pick(views, image['bufferView'])
    else dataBytes(image['uri'])
  }
}

function listOf(scene: JsonObject, name: string): JsonObject[] {
  const list = scene[name] ?? []
  if (!Array.isArray(list) || !list.every(isObject)) throw new Unprocessable('corrupt', `${name} is not a list of objects`)
  return list
}

/** Extensions also refer to files, so every `uri` member counts. Application data (`extras`) is ignored by readers. */
function refuseAddresses(scene: JsonObject): void {
  const open: JsonValue[] = [scene]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      if (name === 'extras' && !Array.isArray(value)) continue
      if (name === 'uri' && typeof member === 'string' && !/^data:/i.test(member)) {
        throw new Unprocessable('external_reference', 'refers to another file')
      }
      open.push(member)
    }
  }
}

function checkBuffer(buffer: JsonObject, binaryBytes: number | undefined): number {
  const length = count(buffer['byteLength'])
  if (buffer['uri'] === undefined && isFallback(buffer)) return length
  const contentBytes = buffer['uri'] === undefined ? binaryBytes : dataBytes(buffer['uri'])
  if (contentBytes === undefined) throw new Unprocessable('external_reference', 'a buffer without content')
  if (contentBytes < length) throw new Unprocessable('truncated', 'a buffer is shorter than its length')
  return length
}

/** A compressed model may have a buffer without content as the fallback for its uncompressed form. */
function isFallback(buffer: JsonObject): boolean {
  const extensions = buffer['extensions']
  if (!isObject(extensions)) return false
  return ['EXT_meshopt_compression', 'KHR_meshopt_compression'].some((name) => {
    const extension = extensions[name]
    return isObject(extension) && extension['fallback'] === true
  })
}

type View = { byteLength: number; byteStride: number | undefined }

function checkView(view: JsonObject, buffers: number[]): View {
  const byteLength = count(view['byteLength'])
  if (count(view['byteOffset'] ?? 0) + byteLength > pick(buffers, view['buffer']))
    throw new Unprocessable('corrupt', 'a view exceeds its buffer')
  return { byteLength, byteStride: view['byteStride'] === undefined ? undefined : count(view['byteStride']) }
}

const componentBytes = new Map<JsonValue | undefined, number>([
  [5120, 1],
  [5121, 1],
  [5122, 2],
  [5123, 2],
  [5125, 4],
  [5126, 4],
])
const componentCounts = new Map<JsonValue | undefined, number>([
  ['SCALAR', 1],
  ['VEC2', 2],
  ['VEC3', 3],
  ['VEC4', 4],
  ['MAT2', 4],
  ['MAT3', 9],
  ['MAT4', 16],
])

function checkAccessor(accessor: JsonObject, views: View[]): void {
  const elements = count(accessor['count'])
  const component = componentBytes.get(accessor['componentType'])
  const components = componentCounts.get(accessor['type'])
  if (component === undefined || components === undefined) throw new Unprocessable('corrupt', 'an accessor of unknown type')
  if (accessor['bufferView'] === undefined) return
  const view = pick(views, accessor['bufferView'])
  const element = component * components
  const needed = count(accessor['byteOffset'] ?? 0) + (elements - 1) * (view.byteStride ?? element) + element
  if (needed > view.byteLength) throw new Unprocessable('corrupt', 'an accessor exceeds its view')
}

function count(value: JsonValue | undefined): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new Unprocessable('corrupt', 'a count is missing')
  return value
}

function pick<Item>(items: Item[], index: JsonValue | undefined): Item {
  const item = items[count(index)]
  if (item === undefined) throw new Unprocessable('corrupt', 'an index out of range')
  return item
}

/** The size of the base64 content of a `data:` URI. */
function dataBytes(address: JsonValue | undefined): number {
  if (typeof address !== 'string') throw new Unprocessable('corrupt', 'a URI is missing')
  const comma = address.indexOf(',')
  if (comma === -1 || !/;base64$/i.test(address.slice(0, comma).trimEnd())) throw new Unprocessable('corrupt', 'not base64')
  const padding = address.endsWith('==') ? 2 : address.endsWith('=') ? 1 : 0
  const letters = address.length - comma - 1 - padding
  if (/[^A-Za-z0-9+/]/.test(address.slice(comma + 1, address.length - padding))) throw new Unprocessable('corrupt', 'not base64')
  return Math.floor((letters * 3) / 4)
}
