import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Behaviour } from '../conformance/vendorUnderTest.ts'
import { sampleFile } from '../media/sampleFile.ts'

/** The outputs of a finished job. */
export function filesOf(url: string, behaviour: Behaviour): { url: string; content_type: string }[] {
  const picture = { url: `${url}/files/picture`, content_type: 'image/png' }
  switch (behaviour.kind) {
    case 'hostile_address':
      return [{ url: behaviour.url, content_type: 'image/png' }]
    case 'several':
      return [{ url: `${url}/files/sound`, content_type: 'audio/wav' }, picture, picture]
    case 'wrong_media':
      return [{ url: `${url}/files/sound`, content_type: 'image/png' }]
    case 'huge':
    case 'expired':
      return [{ url: `${url}/files/${behaviour.kind}`, content_type: 'image/png' }]
    default:
      return [picture]
  }
}

export async function answerFile(response: ServerResponse, name: string): Promise<void> {
  if (name === 'expired') return void response.writeHead(410).end()
  if (name === 'huge') return pipeline(Readable.from(manyBytes()), response)
  response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(await sampleFile(name === 'sound' ? 'wav' : 'png'))
}

/** More than the output limit, generated while it is sent. */
function* manyBytes(): Generator<Buffer> {
  const chunk = Buffer.alloc(1024 * 1024)
  for (let mebibytes = 0; mebibytes <= 151; mebibytes++) yield chunk
}
