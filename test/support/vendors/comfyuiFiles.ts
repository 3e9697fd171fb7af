import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import type { Json } from '../../../src/contract/json.ts'
import { type FormatName, mediaFormats } from '../../../src/media/mediaFormats.ts'
import { sampleFile } from '../media/sampleFile.ts'

/** Reads a form like ComfyUI: the file is stored by its name and overwrites an existing one. */
export async function takeUpload(request: IncomingMessage, uploads: Map<string, Uint8Array>): Promise<Json> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(new Uint8Array(Buffer.concat(await request.toArray())), { headers }).formData()
  const file = form.get('image') as File
  const subfolder = textOf(form, 'subfolder')
  uploads.set(subfolder === '' ? file.name : `${subfolder}/${file.name}`, new Uint8Array(await file.arrayBuffer()))
  return { name: file.name, subfolder, type: textOf(form, 'type') || 'input' }
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

const hugeBytes = 151 * 1024 * 1024

/** Serves a file by its name: `…_huge.png`, `…_expired.mp4`, `…_wrong.glb`, or a sample of the extension. */
export async function viewFile(query: URLSearchParams, response: ServerResponse): Promise<void> {
  const name = query.get('filename') ?? ''
  const format = extname(name).slice(1) as FormatName
  if (query.get('subfolder') !== 'atelier' || query.get('type') !== 'output' || name.includes('expired'))
    return void response.writeHead(404).end()
  const headers = { 'content-type': mediaFormats[format].mimeType, 'content-disposition': `filename="${name}"` }
  if (name.includes('huge')) {
    response.writeHead(200, headers)
    return void Readable.from(zeros())
      .on('error', () => {})
      .pipe(response)
  }
  const other = mediaFormats[format].type === 'image' ? 'mp3' : 'png'
  const content = await sampleFile(name.includes('wrong') ? other : format)
  response.writeHead(200, { ...headers, 'content-length': content.length }).end(content)
}

function* zeros(): Generator<Buffer> {
  const chunk = Buffer.alloc(1024 * 1024)
  for (let sent = 0; sent < hugeBytes; sent += chunk.length) yield chunk
}
