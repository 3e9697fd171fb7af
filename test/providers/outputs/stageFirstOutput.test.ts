import { expect, test } from 'vitest'
import { stageFirstOutput } from '../../../src/providers/outputs/stageFirstOutput.ts'
import { aProviderContext } from '../../support/generations/providerContext.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100)
}

test('the first file that fits is stored with the type of its signature, and later files are skipped', async () => {
  const { context, kept } = aProviderContext()
  const first = stageFirstOutput(context, 'audio')
  const offered = []
  for (const format of ['png', 'wav', 'mp3'] as const) offered.push(await first.offer(inPieces(await sampleFile(format)), 'audio/mpeg'))

  expect(offered).toEqual([false, true, false])
  expect(kept).toEqual([{ bytes: await sampleFile('wav'), mimeType: 'audio/wav' }])
  expect(first.outputs()).toHaveLength(1)
  expect(first.left()).toBe(2)
})

test('a file without a known signature is stored with its declared type, for the inspection', async () => {
  const { context, kept } = aProviderContext()
  const first = stageFirstOutput(context, 'image')
  expect(await first.offer(inPieces(Buffer.alloc(300)), 'image/png')).toBe(true)
  expect(kept).toEqual([{ bytes: Buffer.alloc(300), mimeType: 'image/png' }])
})

test('a long file is stored completely and in order', async () => {
  const { context, kept } = aProviderContext()
  const long = Buffer.concat([await sampleFile('png'), Buffer.from(Uint8Array.from({ length: 200_000 }, (_, at) => at % 251))])
  await stageFirstOutput(context, 'image').offer(inPieces(long), 'image/png')
  expect(kept[0]?.bytes.equals(long)).toBe(true)
})
