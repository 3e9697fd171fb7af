import { WebIO } from '@gltf-transform/core'
import { validateBytes } from 'gltf-validator'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobSpec } from '../../../src/providers/provider.ts'
import { input, job, openSandbox, render, somePrompt } from './sandboxJobs.ts'

let opened: Awaited<ReturnType<typeof openSandbox>>
beforeAll(async () => {
  opened = await openSandbox()
})
afterAll(() => opened.close())

const model = (parts: Partial<JobSpec> = {}) =>
  render(opened.sandbox, job({ familyId: 'sandbox-3d', task: 'text-to-3d', outputType: 'model3d', ...parts }))
const asObj = { axes: { format: 'obj' } }

function flat(colour: string): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 64, channels: 3, background: colour } })
    .png()
    .toBuffer()
}

async function textureOf(glb: Buffer): Promise<Buffer> {
  const document = await new WebIO().readBinary(new Uint8Array(glb))
  return Buffer.from(document.getRoot().listTextures()[0]?.getImage() ?? [])
}

test('a GLB passes the official validator, with thousands of triangles and a texture', async () => {
  const { bytes, mimeType } = await model()
  expect(mimeType).toBe('model/gltf-binary')
  const report = await validateBytes(new Uint8Array(bytes))
  expect(report.issues).toMatchObject({ numErrors: 0, numWarnings: 0 })
  expect(report.info.totalTriangleCount).toBeGreaterThan(3000)
  expect(report.info.hasTextures).toBe(true)
})

test('the texture shows the prompt', async () => {
  const whites = async (prompt: string) => {
    const { data } = await sharp(await textureOf((await model({ prompt })).bytes))
      .raw()
      .toBuffer({ resolveWithObject: true })
    let count = 0
    for (let at = 0; at < data.length; at += 3) if (Math.min(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) > 240) count += 1
    return count
  }
  expect(await whites(somePrompt)).toBeGreaterThan((await whites(' ')) + 2000)
})

test('an OBJ is complete: vertices, normals and texture coordinates match, faces refer to them, and all numbers are finite', async () => {
  const { bytes, mimeType } = await model(asObj)
  expect(mimeType).toBe('model/obj')
  const lines = bytes.toString().trimEnd().split('\n')
  const rows = (keyword: string) => lines.filter((line) => line.startsWith(`${keyword} `)).map((line) => line.split(' ').slice(1))
  const [vertices, normals, places, faces] = [rows('v'), rows('vn'), rows('vt'), rows('f')]
  expect(lines.length).toBe(2 + vertices.length + normals.length + places.length + faces.length)
  expect([normals.length, places.length]).toEqual([vertices.length, vertices.length])
  for (const row of vertices) expect(row.map(Number).filter(Number.isFinite)).toHaveLength(6)
  for (const row of normals) expect(Math.hypot(...row.map(Number))).toBeCloseTo(1, 3)
  const corners = faces.flat().map((corner) => Number(corner.split('/')[0]))
  expect(corners.length).toBe(faces.length * 3)
  expect(corners.every((corner) => Number.isInteger(corner) && corner >= 1 && corner <= vertices.length)).toBe(true)
})

test('the surface is closed and faces outwards', async () => {
  const document = await new WebIO().readBinary(new Uint8Array((await model()).bytes))
  const primitive = document.getRoot().listMeshes()[0]?.listPrimitives()[0]
  const [positions, indices] = [primitive?.getAttribute('POSITION')?.getArray() ?? [], primitive?.getIndices()?.getArray() ?? []]
  const at = (vertex: number) => [positions[vertex * 3] ?? 0, positions[vertex * 3 + 1] ?? 0, positions[vertex * 3 + 2] ?? 0] as const
  const key = (vertex: number) =>
    at(vertex)
      .map((value) => value.toFixed(4).replace('-0.0000', '0.0000'))
      .join()
  const edges = new Map<string, number>()
  let volume = 0
  for (let index = 0; index < indices.length; index += 3) {
    const triangle = [indices[index] ?? 0, indices[index + 1] ?? 0, indices[index + 2] ?? 0] as const
    const [a, b, c] = [at(triangle[0]), at(triangle[1]), at(triangle[2])]
    volume += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    for (const [from, to] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ] as const) {
      const [one, other] = [key(triangle[from]), key(triangle[to])]
      edges.set(`${one}>${other}`, (edges.get(`${one}>${other}`) ?? 0) + 1)
    }
  }
  expect(volume).toBeGreaterThan(1)
  for (const [edge, count] of edges) {
    const [one, other] = edge.split('>')
    expect([edge, count, edges.get(`${other}>${one}`)]).toEqual([edge, 1, 1])
  }
})

test.each(['glb', 'obj'])('the same request and seed give the same %s, another seed or prompt another shape', async (format) => {
  const parts = { axes: { format }, parameters: { seed: 1 } }
  const first = await model(parts)
  expect((await model({ ...parts, idempotencyKey: 'another attempt' })).bytes.equals(first.bytes)).toBe(true)
  expect((await model({ ...parts, parameters: { seed: 2 } })).bytes.equals(first.bytes)).toBe(false)
  expect((await model({ ...parts, prompt: 'A teapot' })).bytes.equals(first.bytes)).toBe(false)
})

test('input images become the texture, side by side in order', async () => {
  const fromImages = async (colours: string[]) =>
    model({ task: 'image-to-3d', inputs: await Promise.all(colours.map(async (colour) => input(await flat(colour)))) })
  const part = async (glb: Buffer, left: number) => {
    const piece = await sharp(await textureOf(glb))
      .extract({ left, top: 400, width: 200, height: 100 })
      .png()
      .toBuffer()
    const { channels } = await sharp(piece).stats()
    return channels.map(({ mean }) => Math.round(mean / 255))
  }
  const { bytes } = await fromImages(['#f00', '#00f'])
  expect([await part(bytes, 100), await part(bytes, 700)]).toEqual([
    [1, 0, 0],
    [0, 0, 1],
  ])
  expect((await validateBytes(new Uint8Array(bytes))).issues).toMatchObject({ numErrors: 0, numWarnings: 0 })
})

test('an OBJ has the colours of its input image', async () => {
  const { bytes } = await model({ ...asObj, task: 'image-to-3d', inputs: [input(await flat('#0f0'))] })
  const vertex = bytes
    .toString()
    .trimEnd()
    .split('\n')
    .filter((line) => line.startsWith('v '))
    .at(-1)
    ?.split(' ')
    .slice(4)
    .map(Number)
  expect(vertex?.[1]).toBeGreaterThan(0.9)
})

test('a prompt of several lines cannot add lines to an OBJ', async () => {
  const { bytes } = await model({ ...asObj, prompt: 'one\nf 1 2 3\r\nv 0 0 0\u2028x\\' })
  expect(bytes.toString().split('\n')[0]).toBe('# one f 1 2 3 v 0 0 0 x ')
})
