import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FormatName } from '../../../src/media/mediaFormats.ts'
import type { Behaviour } from '../conformance/vendorUnderTest.ts'
import { sampleFile } from '../media/sampleFile.ts'
import { type Exchange, json } from './fakeServer.ts'

export type OpenaiFields = Record<string, unknown>

const megabytes = 151
const textOfMegabyte = 'A'.repeat(Math.ceil((1024 * 1024) / 3) * 4)

/** Images as base64; as URLs for behaviours with URLs, like compatible servers. */
export async function answerImages(
  exchange: Exchange,
  { behaviour, fields, url }: { behaviour: Behaviour; fields: OpenaiFields; url: string },
) {
  if (behaviour.kind === 'huge') return pipeline(Readable.from(hugeAnswer()), exchange.response)
  const data = await picturesOf(behaviour, { format: formatOf(fields['output_format'], 'png'), url })
  const isEdit = exchange.path.endsWith('/edits')
  const input = { text_tokens: 50, image_tokens: isEdit ? 350 : 0 }
  const usage = { input_tokens: input.text_tokens + input.image_tokens, input_tokens_details: input, output_tokens: 1_756 }
  json(exchange, 200, {
    created: 1_700_000_000,
    background: 'opaque',
    data,
    output_format: formatOf(fields['output_format'], 'png'),
    quality: fields['quality'] ?? 'medium',
    size: fields['size'] ?? '1024x1024',
    usage: { ...usage, total_tokens: usage.input_tokens + usage.output_tokens },
  })
}

async function picturesOf(behaviour: Behaviour, { format, url }: { format: FormatName; url: string }): Promise<object[]> {
  const picture = { b64_json: (await sampleFile(format)).toString('base64') }
  const sound = { b64_json: (await sampleFile('mp3')).toString('base64') }
  if (behaviour.kind === 'several') return [sound, picture, picture]
  if (behaviour.kind === 'wrong_media') return [sound]
  if (behaviour.kind === 'expired') return [{ url: `${new URL(url).origin}/files/expired.png` }]
  return behaviour.kind === 'hostile_address' ? [{ url: behaviour.url }] : [picture]
}

/** Never held as a whole. */
function* hugeAnswer(): Generator<string> {
  yield '{"created":1700000000,"data":[{"b64_json":"'
  for (let each = 0; each < megabytes; each++) yield textOfMegabyte
  yield '"}]}'
}

/** Speech: only the bytes. */
export async function answerSpeech({ response }: Exchange, { behaviour, fields }: { behaviour: Behaviour; fields: OpenaiFields }) {
  const format = formatOf(fields['response_format'], 'mp3')
  response.writeHead(200, { 'content-type': types[format] ?? 'application/octet-stream' })
  if (behaviour.kind === 'huge') return pipeline(Readable.from(hugeSound()), response)
  response.end(await sampleFile(behaviour.kind === 'wrong_media' ? 'png' : format))
}

function* hugeSound(): Generator<Buffer> {
  for (let each = 0; each < megabytes; each++) yield Buffer.alloc(1024 * 1024)
}

const types: Partial<Record<FormatName, string>> = { mp3: 'audio/mpeg', ogg: 'audio/opus', flac: 'audio/flac', wav: 'audio/wav' }
const formats: Record<string, FormatName> = { png: 'png', jpeg: 'jpeg', webp: 'webp', mp3: 'mp3', opus: 'ogg', flac: 'flac', wav: 'wav' }

function formatOf(named: unknown, usual: FormatName): FormatName {
  return formats[String(named)] ?? usual
}
