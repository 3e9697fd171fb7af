import { WebIO } from '@gltf-transform/core'
import { validateBytes } from 'gltf-validator'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobSpec } from '../../../src/providers/provider.ts'
import { glbOf, glbSample } from '../../support/media/modelSamples.ts'
import { catalogJob } from '../catalogJob.ts'
import { context, input, job, openSandbox, render } from './sandboxJobs.ts'

let opened: Awaited<ReturnType<typeof openSandbox>>
beforeAll(async () => {
  opened = await openSandbox()
})
afterAll(() => opened.close())

const glb = (bytes: Buffer) => input(bytes, { field: 'model3dIds', mimeType: 'model/gltf-binary' })
const retexture = async (parts: Partial<JobSpec>) =>
  render(opened.sandbox, await catalogJob('sandbox', 'sandbox-texture.retexture-3d', { parameters: { seed: 1 }, ...parts }))

async function surfaceOf(bytes: Buffer) {
  const root = (await new WebIO().readBinary(new Uint8Array(bytes))).getRoot()
  const primitive = root.listMeshes()[0]?.listPrimitives()[0]
  return {
    materials: root.listMaterials().length,
    textures: root.listTextures().length,
    picture: Buffer.from(primitive?.getMaterial()?.getBaseColorTexture()?.getImage() ?? []),
    positions: [...(primitive?.getAttribute('POSITION')?.getArray() ?? [])],
    places: [...(primitive?.getAttribute('TEXCOORD_0')?.getArray() ?? [])],
  }
}

test('a model keeps its shape and gets one new texture with the prompt', async () => {
  const source = await render(opened.sandbox, job({ familyId: 'sandbox-3d', task: 'text-to-3d', outputType: 'model3d' }))
  const made = await retexture({ inputs: [glb(source.bytes)], prompt: 'Blue glaze' })
  expect(made.mimeType).toBe('model/gltf-binary')
  expect((await validateBytes(new Uint8Array(made.bytes))).issues).toMatchObject({ numErrors: 0, numWarnings: 0 })
  const [before, after] = [await surfaceOf(source.bytes), await surfaceOf(made.bytes)]
  expect([after.positions, after.places]).toEqual([before.positions, before.places])
  expect([after.materials, after.textures]).toEqual([1, 1])
  expect(after.picture.equals(before.picture)).toBe(false)
  expect(await sharp(after.picture).metadata()).toMatchObject({ format: 'jpeg', width: 1024, height: 512 })
  expect((await retexture({ inputs: [glb(source.bytes)], prompt: 'Blue glaze' })).bytes.equals(made.bytes)).toBe(true)
  expect((await retexture({ inputs: [glb(source.bytes)], prompt: 'Red clay' })).bytes.equals(made.bytes)).toBe(false)
})

test('a model without texture coordinates gets them, and an image becomes the texture wherever it is in the request', async () => {
  const image = input(
    await sharp({ create: { width: 64, height: 64, channels: 3, background: '#0f0' } })
      .png()
      .toBuffer(),
  )
  const { bytes } = await retexture({ inputs: [image, glb(await glbSample())] })
  expect((await validateBytes(new Uint8Array(bytes))).issues).toMatchObject({ numErrors: 0 })
  const { places, picture } = await surfaceOf(bytes)
  expect(places).toHaveLength(6)
  expect(places.every((place) => place >= 0 && place <= 1)).toBe(true)
  const { data } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  expect([...data.subarray(0, 3)].map((value) => Math.round(value / 255))).toEqual([0, 1, 0])
})

test('missing, broken and empty models, and ones that need an unknown extension, are refused as inputs', async () => {
  const failure = { code: 'parameter_validation', reason: 'input_rejected_by_model' }
  const spec = await catalogJob('sandbox', 'sandbox-texture.retexture-3d')
  expect(await opened.sandbox.submit(spec, context())).toEqual({ kind: 'failed', failure })
  const scene = { asset: { version: '2.0' } }
  const needing = { ...scene, extensionsUsed: ['KHR_draco_mesh_compression'], extensionsRequired: ['KHR_draco_mesh_compression'] }
  const elsewhere = { ...scene, buffers: [{ byteLength: 4, uri: 'https://example.com/buffer.bin' }] }
  for (const bytes of [Buffer.alloc(0), Buffer.from('no model'), glbOf(scene), glbOf(needing), glbOf(elsewhere)]) {
    expect(await opened.sandbox.collect({ data: null }, { ...spec, inputs: [glb(bytes)] }, context())).toEqual({ state: 'failed', failure })
  }
})
