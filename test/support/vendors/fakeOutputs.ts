import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { OutputType } from '../../../src/contract/shapes/outputTypes.ts'
import { type FormatName, mediaFormats } from '../../../src/media/mediaFormats.ts'
import { sampleFile } from '../media/sampleFile.ts'
import type { Exchange } from './fakeServer.ts'
import type { FakeWork } from './fakeWork.ts'

/** A file that a vendor lists, with its declared type. */
export type ListedFile = { url: string; mimeType: string }

const formats: Record<OutputType, FormatName> = { image: 'png', video: 'mp4', audio: 'mp3', model3d: 'glb' }

/** The outputs of finished work for a behaviour. */
export function filesOf(url: string, { behaviour, outputType }: FakeWork): ListedFile[] {
  const format = formats[outputType]
  const { mimeType } = mediaFormats[format]
  const other: FormatName = outputType === 'audio' ? 'png' : 'wav'
  switch (behaviour.kind) {
    case 'hostile_address':
      return [{ url: behaviour.url, mimeType }]
    case 'several':
      return [{ url: `${url}/files/${other}`, mimeType: mediaFormats[other].mimeType }, fileOf(url, format), fileOf(url, format)]
    case 'wrong_media':
      return [{ url: `${url}/files/${other}`, mimeType }]
    case 'huge':
    case 'expired':
      return [{ url: `${url}/files/${behaviour.kind}`, mimeType }]
    default:
      return [fileOf(url, format)]
  }
}

function fileOf(url: string, format: FormatName): ListedFile {
  return { url: `${url}/files/${format}`, mimeType: mediaFormats[format].mimeType }
}

/** Answers for `/files/<name>`. */
export async function answerFile({ response, path }: Exchange): Promise<void> {
  const name = path.split('/').at(-1) ?? ''
  if (name === 'huge') return pipeline(Readable.from(manyBytes()), response)
  if (!Object.hasOwn(mediaFormats, name)) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(await sampleFile(name as FormatName))
}

/** More than the output limit, generated while it is sent. */
function* manyBytes(): Generator<Buffer> {
  const chunk = Buffer.alloc(1024 * 1024)
  for (let mebibytes = 0; mebibytes <= 151; mebibytes++) yield chunk
}
