import type { Readable } from 'node:stream'
import type { Json } from '../../../contract/json.ts'
import { beforeSubmit } from '../../connector/beforeSubmit.ts'
import { mapFields } from '../../connector/fieldMap.ts'
import { type FormPart, multipart } from '../../connector/multipart.ts'
import type { VendorRequest } from '../../connector/vendorClient.ts'
import type { JobSpec, ProviderInput } from '../../provider.ts'
import type { OpenaiSettings } from './openaiSettings.ts'

type Request = Pick<VendorRequest, 'method' | 'path' | 'headers' | 'json' | 'body'>

/** Builds the one billable request. Throws `NotSent` when an input cannot be opened. */
export async function openaiRequest(spec: JobSpec, settings: OpenaiSettings): Promise<Request> {
  const fields = { model: settings.model, ...mapFields({ ...settings, inputs: {} }, spec, []) }
  const headers = { accept: '*/*' }
  if (spec.outputType === 'audio') return { method: 'POST', path: '/audio/speech', headers, json: fields }
  if (spec.inputs.length === 0) return { method: 'POST', path: '/images/generations', headers, json: fields }
  const streams = await opened(spec.inputs)
  const form = multipart([...textParts(fields), ...fileParts(spec, settings, streams)], spec.idempotencyKey)
  // The form destroys only streams that it read.
  form.body.once('close', () => streams.forEach((stream) => stream.destroy()))
  return { method: 'POST', path: '/images/edits', headers: { ...headers, ...form.headers }, body: form.body }
}

/** Form fields. Nested fields have their name in brackets. */
function textParts(fields: { [key: string]: Json }): FormPart[] {
  return Object.entries(fields).flatMap(([name, value]) => textPart(name, value))
}

function textPart(name: string, value: Json): FormPart[] {
  if (value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => textPart(`${name}[]`, each))
  if (typeof value === 'object') return Object.entries(value).flatMap(([inner, each]) => textPart(`${name}[${inner}]`, each))
  return [{ name, value: String(value) }]
}

function fileParts(spec: JobSpec, { inputs }: OpenaiSettings, streams: readonly Readable[]): FormPart[] {
  return spec.inputs.map((input, index) => ({
    name: nameOf(inputs.imageIds, { index, count: spec.inputs.length }),
    fileName: `${index + 1}.${input.mimeType.split('/')[1]}`,
    input: { ...input, open: async () => streams[index] as Readable },
  }))
}

/** Opens all inputs before the request, so that an unreadable input costs nothing. */
async function opened(inputs: readonly ProviderInput[]): Promise<Readable[]> {
  const streams: Readable[] = []
  try {
    await beforeSubmit(async () => {
      for (const input of inputs) {
        const stream = await input.open()
        stream.on('error', () => {})
        streams.push(stream)
      }
    })
    return streams
  } catch (error) {
    for (const stream of streams) stream.destroy()
    throw error
  }
}

/** Several files with one name have brackets, as OpenAI requires. A single one has none, which every server accepts. */
function nameOf(to: OpenaiSettings['inputs']['imageIds'], { index, count }: { index: number; count: number }): string {
  if (to === undefined) return 'image'
  if (typeof to === 'object' && 'list' in to) return count > 1 ? `${to.list}[]` : to.list
  return [to].flat()[index] ?? 'image'
}
