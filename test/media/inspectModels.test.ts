import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostileFiles } from '../support/media/hostileFiles.ts'
import { anInspector } from '../support/media/inspector.ts'
import { type MediaFolder, makeMediaFolder } from '../support/media/mediaFolder.ts'
import {
  binaryChunk,
  chunkOf,
  glbOf,
  glbOfChunks,
  gltfSample,
  sceneChunk,
  stlSample,
  textStlSample,
  zipOf,
} from '../support/media/modelSamples.ts'
import { sampleFile } from '../support/media/sampleFile.ts'

const inspector = anInspector({ processes: 1 })
let folder: MediaFolder
beforeAll(async () => {
  folder = await makeMediaFolder()
})
afterAll(async () => {
  await inspector.close()
  await folder.remove()
})

async function inspect(content: Buffer) {
  return inspector.inspect(await folder.write(content))
}

type Scene = Record<string, unknown>
const failed = (cause: string) => ({ ok: false, refusal: 'file_processing_failed', cause })

const scenes: [string, string, (scene: Scene) => void][] = [
  ['a buffer in another file', 'external_reference', (scene) => (scene['buffers'] = [{ byteLength: 36, uri: 'triangle.bin' }])],
  ['a buffer at a URL', 'external_reference', (scene) => (scene['buffers'] = [{ byteLength: 36, uri: 'http://127.0.0.1/x' }])],
  ['a picture in a local file', 'external_reference', (scene) => (scene['images'] = [{ uri: 'file:///etc/passwd' }])],
  ['a buffer without content', 'external_reference', (scene) => (scene['buffers'] = [{ byteLength: 36 }])],
  [
    'an extension that refers to a file',
    'external_reference',
    (scene) => (scene['extensions'] = { LIGHTS: { maps: [{ uri: '../sky.hdr' }] } }),
  ],
  ['a buffer shorter than its length', 'truncated', (scene) => (scene['buffers'] = [{ byteLength: 37, uri: dataOf(36) }])],
  ['a buffer that is not base64', 'corrupt', (scene) => (scene['buffers'] = [{ byteLength: 3, uri: 'data:;base64,!!!!' }])],
  ['a view that exceeds its buffer', 'corrupt', (scene) => (scene['bufferViews'] = [{ buffer: 0, byteOffset: 1, byteLength: 36 }])],
  ['a view of a missing buffer', 'corrupt', (scene) => (scene['bufferViews'] = [{ buffer: 1, byteLength: 36 }])],
  ['an accessor that exceeds its view', 'corrupt', (scene) => (scene['accessors'] = [accessor({ count: 4 })])],
  [
    'an accessor with a stride that exceeds its view',
    'corrupt',
    (scene) => (scene['bufferViews'] = [{ buffer: 0, byteLength: 36, byteStride: 24 }]),
  ],
  ['an accessor of an unknown type', 'corrupt', (scene) => (scene['accessors'] = [accessor({ type: 'constructor' })])],
  ['a count below zero', 'corrupt', (scene) => (scene['accessors'] = [accessor({ count: -1 })])],
  ['an object instead of a list', 'corrupt', (scene) => (scene['accessors'] = { length: 3 })],
  ['an older version', 'corrupt', (scene) => (scene['asset'] = { version: '1.0' })],
  ['no geometry', 'no_content', (scene) => (scene['meshes'] = [])],
]

function accessor(change: Scene): Scene {
  return { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', ...change }
}

function dataOf(bytes: number): string {
  return `data:application/octet-stream;base64,${Buffer.alloc(bytes).toString('base64')}`
}

test.each(scenes)('a glTF with %s is refused: %s', async (_name, cause, change) => {
  expect(await inspect(gltfSample(change))).toEqual(failed(cause))
})

test.each(scenes.filter(([, cause]) => cause !== 'truncated'))('a GLB with %s is refused: %s', async (_name, cause, change) => {
  const scene: Scene = JSON.parse(gltfSample(change).toString())
  if (JSON.stringify(scene['buffers']) === '[{"byteLength":36}]') return
  expect(await inspect(glbOf(scene))).toEqual(failed(cause))
})

test('a GLB whose binary part is shorter than its buffer is refused', async () => {
  const scene: Scene = JSON.parse(gltfSample((free) => (free['buffers'] = [{ byteLength: 36 }])).toString())
  expect(await inspect(glbOf(scene, Buffer.alloc(36)))).toMatchObject({ ok: true, mimeType: 'model/gltf-binary' })
  expect(await inspect(glbOf(scene, Buffer.alloc(32)))).toEqual(failed('truncated'))
  expect(await inspect(glbOf(scene))).toEqual(failed('external_reference'))
})

const ownBuffer = (): Scene => JSON.parse(gltfSample((scene) => (scene['buffers'] = [{ byteLength: 36 }])).toString())
const [ownScene, corners] = [sceneChunk(ownBuffer()), binaryChunk(Buffer.alloc(36))]
const note = chunkOf(0x45544f4e, Buffer.from('note'))

test.each<[string, string, Buffer]>([
  ['a second scene', 'corrupt', glbOfChunks([ownScene, corners, sceneChunk({ asset: { version: '2.0' } })])],
  ['a second scene before its binary part', 'corrupt', glbOfChunks([ownScene, ownScene, corners])],
  ['two binary parts', 'corrupt', glbOfChunks([ownScene, corners, corners])],
  ['a binary part behind another chunk', 'corrupt', glbOfChunks([ownScene, note, corners])],
  ['a binary part before its scene', 'corrupt', glbOfChunks([corners, ownScene])],
  ['no chunks', 'corrupt', glbOfChunks([])],
  ['an incomplete last chunk', 'corrupt', glbOfChunks([ownScene, corners, Buffer.alloc(7)])],
  ['a chunk that exceeds the file', 'corrupt', glbOfChunks([ownScene, corners.subarray(0, 20)])],
  ['bytes after its end', 'corrupt', Buffer.concat([glbOfChunks([ownScene, corners]), Buffer.alloc(4)])],
  ['more chunks than a reader should walk', 'too_complex', glbOfChunks([ownScene, corners, ...Array<Buffer>(1000).fill(note)])],
])('a GLB with %s is refused: %s', async (_name, cause, glb) => {
  expect(await inspect(glb)).toEqual(failed(cause))
})

test('a chunk of another kind is ignored', async () => {
  expect(await inspect(glbOfChunks([ownScene, corners, note]))).toMatchObject({ ok: true, mimeType: 'model/gltf-binary' })
})

test('a uri in the extras of a model does not count as a reference', async () => {
  expect(await inspect(gltfSample((scene) => (scene['extras'] = { uri: 'made with love' })))).toMatchObject({ ok: true })
})

test('a compressed model may have a fallback buffer without content', async () => {
  const withFallback = gltfSample((scene) => {
    const extensions = { EXT_meshopt_compression: { fallback: true } }
    scene['buffers'] = [...(scene['buffers'] as Scene[]), { byteLength: 1000, extensions }]
  })
  expect(await inspect(withFallback)).toMatchObject({ ok: true })
})

test('a glTF with a byte order mark is read', async () => {
  expect(await inspect(Buffer.concat([Buffer.from('\ufeff'), gltfSample()]))).toMatchObject({ ok: true, mimeType: 'model/gltf+json' })
})

const objects: [string, string, string][] = [
  ['a face of missing vertices', 'corrupt', 'v 0 0 0\nv 1 0 0\nf 1 2 3\n'],
  ['a face with a negative index out of range', 'corrupt', 'v 0 0 0\nf -1 -1 -2\n'],
  ['a face of vertex zero', 'corrupt', 'v 0 0 0\nf 0 1 1\n'],
  ['a missing normal', 'corrupt', 'v 0 0 0\nf 1//1 1//1 1//1\n'],
  ['a coordinate that is not a number', 'corrupt', 'v 0 0 x\nf 1 1 1\n'],
  ['an infinite coordinate', 'corrupt', 'v 0 0 1e999\nf 1 1 1\n'],
  ['a face of two vertices', 'corrupt', 'v 0 0 0\nf 1 1\n'],
  ['vertices only', 'no_content', 'v 0 0 0\nv 1 1 1\n'],
  ['zero bytes after its text', 'corrupt', `v 0 0 0\nf 1 1 1\n${'# \n'.repeat(30_000)}\0`],
]

test.each(objects)('an OBJ with %s is refused: %s', async (_name, cause, text) => {
  expect(await inspect(Buffer.from(text))).toEqual(failed(cause))
})

test('a typical OBJ is read: comments, continued lines, negative indexes, non-ASCII names', async () => {
  const text =
    '# Größe\r\n\r\nmtllib ../x.mtl\r\no Dreieck_é\r\nv 0 0 0 1 0.5\r\nv 1 0 0 # second\r\nv \\\r\n 0 1e-3 -.5\r\nvt 0\r\nf -3/1 \\\r\n-2/1 -1/1\r\nl 1 2'
  expect(await inspect(Buffer.from(text, 'latin1'))).toMatchObject({ ok: true, mimeType: 'model/obj' })
})

test('an STL is read in binary and text form, whatever its header says', async () => {
  expect(await inspect(textStlSample())).toMatchObject({ ok: true, mimeType: 'model/stl' })
  const plain = stlSample()
  plain.fill(0, 0, 80)
  expect(await inspect(plain)).toMatchObject({ ok: true, mimeType: 'model/stl' })
})

test('an STL with a corner that is not finite, or with extra bytes, is refused', async () => {
  const astray = stlSample(200)
  astray.writeFloatLE(Number.NaN, 84 + 150 * 50 + 12)
  expect(await inspect(astray)).toEqual(failed('corrupt'))
  expect(await inspect(Buffer.concat([stlSample(), Buffer.alloc(7)]))).toEqual(failed('corrupt'))
})

test('an STL text without facets or with a missing corner is refused', async () => {
  expect(await inspect(Buffer.from('solid x\nendsolid x\n'))).toEqual(failed('no_content'))
  const text = textStlSample().toString().replace('  vertex 1 0 0\n', '')
  expect(await inspect(Buffer.from(text))).toEqual(failed('corrupt'))
})

test('a USDZ with a changed entry, a compressed entry or no scene is refused', async () => {
  const changed = await sampleFile('usdz')
  changed.write('x', changed.indexOf('root'))
  expect(await inspect(changed)).toEqual(failed('corrupt'))
  const scene = { name: 'scene.usda', content: Buffer.from('#usda 1.0\n') }
  expect(await inspect(zipOf([scene, { name: 'a.png', content: Buffer.from('x'), method: 8 }]))).toEqual(failed('corrupt'))
  expect(await inspect(zipOf([scene, { name: 'a.png', content: Buffer.from('x') }]))).toMatchObject({ ok: true })
  expect(await inspect(zipOf([{ name: 'scene.usdc', content: Buffer.from('MZ') }]))).toEqual(failed('corrupt'))
  expect(await inspect(zipOf([{ name: 'scene.usdc', content: Buffer.from('PXR-USDC') }]))).toMatchObject({ ok: true })
})

test('a USDZ with entries that share bytes is refused without repeated reads', async () => {
  const make = hostileFiles['a USDZ whose entries share their bytes']
  expect(await inspect((await make?.()) ?? Buffer.alloc(0))).toEqual(failed('truncated'))
})

test('the depth and size of a glTF are limited', async () => {
  const nested = (depth: number) => gltfSample((scene) => (scene['extras'] = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)))
  expect(await inspect(nested(63))).toMatchObject({ ok: true })
  expect(await inspect(nested(64))).toEqual(failed('too_complex'))
  const many = (values: number) => gltfSample((scene) => (scene['extras'] = Array.from({ length: values }, () => 1)))
  expect(await inspect(many(990_000))).toMatchObject({ ok: true })
  expect(await inspect(many(1_000_001))).toEqual(failed('too_complex'))
})
