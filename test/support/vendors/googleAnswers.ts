import type { ServerResponse } from 'node:http'
import type { Json } from '../../../src/contract/json.ts'
import type { FormatName } from '../../../src/media/mediaFormats.ts'
import type { Behaviour } from '../conformance/vendorUnderTest.ts'
import { sampleFile } from '../media/sampleFile.ts'
import { endedError, googleErrors } from './googleErrors.ts'

/** Background work. `looks`: number of polls. */
export type GoogleWork = { id: string; kind: 'interaction' | 'operation'; behaviour: Behaviour; looks: number; isCancelled: boolean }

async function base64(format: FormatName): Promise<string> {
  return (await sampleFile(format)).toString('base64')
}

/** The formats of inline outputs, in order; none for outputs at URLs. */
function madeBy({ kind }: Behaviour, [fitting, other]: [FormatName, FormatName]): FormatName[] {
  if (kind === 'several') return [other, fitting, fitting]
  return [kind === 'wrong_media' ? other : fitting]
}

/** The answer to `generateContent`. */
export async function imageAnswer(behaviour: Behaviour): Promise<Json> {
  const parts = await Promise.all(
    madeBy(behaviour, ['png', 'mp3']).map(async (format) => ({
      thoughtSignature: 'c2lnbmF0dXJl',
      inlineData: { mimeType: 'image/png', data: await base64(format) },
    })),
  )
  const usage = { promptTokenCount: 300, candidatesTokenCount: 1700, thoughtsTokenCount: 100, totalTokenCount: 2100 }
  return {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Here it is.' }, ...parts] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { ...usage, candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1680 }] },
    modelVersion: 'gemini-nano-banana-2.1',
  }
}

const isPending = ({ behaviour, looks }: GoogleWork) =>
  (behaviour.kind === 'slow' || behaviour.kind === 'unknown_state') && looks <= behaviour.looks

function addressOf(url: string, { behaviour }: GoogleWork, name = 'well'): string {
  if (behaviour.kind === 'hostile_address') return behaviour.url
  const file = behaviour.kind === 'huge' || behaviour.kind === 'expired' ? behaviour.kind : name
  return `${url}/files/${file}:download?alt=media`
}

const errorOf = ({ behaviour }: GoogleWork) => (behaviour.kind === 'fails' ? googleErrors[behaviour.failure] : undefined)

/** The answer to `GET /interactions/{id}`: videos are inline, except for behaviours with a URL. */
export async function interactionAnswer(url: string, work: GoogleWork): Promise<Json> {
  const about = { id: work.id, object: 'interaction', model: 'gemini-omni-1.1-flash' }
  if (work.isCancelled) return { ...about, status: 'cancelled' }
  if (isPending(work)) return { ...about, status: work.behaviour.kind === 'slow' ? 'in_progress' : 'archiving' }
  const error = errorOf(work)
  if (error) return { ...about, status: 'failed', error: endedError(error) }
  const isAway = ['huge', 'expired', 'hostile_address'].includes(work.behaviour.kind)
  const content = isAway
    ? [{ type: 'video', mime_type: 'video/mp4', uri: addressOf(url, work) }]
    : await Promise.all(
        madeBy(work.behaviour, ['mp4', 'png']).map(async (format) => ({
          type: 'video',
          mime_type: 'video/mp4',
          data: await base64(format),
        })),
      )
  const steps = [
    { type: 'user_input', content: [{ type: 'image', mime_type: 'image/png', data: await base64('png') }] },
    { type: 'thought', signature: 'c2lnbmF0dXJl' },
    { type: 'model_output', content },
  ]
  return { ...about, status: 'completed', steps, usage: { total_input_tokens: 1200, total_output_tokens: 17_376, total_tokens: 18_576 } }
}

/** The answer to `GET /models/{model}/operations/{id}`. */
export function operationAnswer(url: string, work: GoogleWork): Json {
  if (isPending(work)) return { name: work.id, metadata: { state: 'STATE_ARCHIVING' } }
  const error = errorOf(work)
  if (error) return { name: work.id, done: true, error: endedError(error) }
  const sample = (name: string, mimeType = 'video/mp4') => ({ video: { uri: addressOf(url, work, name), mimeType } })
  const several = [sample('picture', 'image/png'), sample('well'), sample('well')]
  const generatedSamples =
    work.behaviour.kind === 'several' ? several : [sample(work.behaviour.kind === 'wrong_media' ? 'picture' : 'well')]
  return { name: work.id, done: true, response: { generateVideoResponse: { generatedSamples } } }
}

const hugeBytes = 151 * 1024 * 1024

/** A file by its name: `huge`, `expired`, `picture`, else a video. */
export async function answerFile(name: string, response: ServerResponse): Promise<void> {
  if (name === 'expired') return void response.writeHead(404).end()
  if (name !== 'huge') {
    const content = await sampleFile(name === 'picture' ? 'png' : 'mp4')
    return void response.writeHead(200, { 'content-type': 'video/mp4' }).end(content)
  }
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': hugeBytes })
  const chunk = Buffer.alloc(1024 * 1024)
  for (let sent = 0; sent < hugeBytes && !response.destroyed; sent += chunk.length) {
    if (!response.write(chunk)) await new Promise<void>((resolve) => void response.once('drain', resolve).once('close', resolve))
  }
  response.end()
}
