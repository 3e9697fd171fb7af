import type { Readable } from 'node:stream'
import type { Json } from '../../contract/json.ts'
import { type TrustedAnswer, type TrustedRequest, trustedRequest } from '../../network/trustedRequest.ts'

/** An answer of a vendor, read: `body` is what its JSON says, `undefined` where it is none. */
export type VendorAnswer = { status: number; headers: Record<string, string>; body: Json | undefined }

export type VendorRequest = {
  method: TrustedRequest['method']
  /** Put behind the vendor's address, as it is: whoever names it escapes what comes from outside. */
  path: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: Json
  /** Sent as it is, with its own content type among the headers. */
  body?: TrustedRequest['body']
  signal: AbortSignal
  /** Of the answer; beyond it, it is given up. Default 1 MiB. */
  answerBytesMax?: number
}

/** How one vendor is asked: each request is sent once and never repeated here. Throws as {@link trustedRequest}. */
export type VendorClient = {
  /** Reads the whole answer, whatever its status is. */
  json(request: VendorRequest): Promise<VendorAnswer>
  /** Leaves the body of the answer to be read or destroyed. */
  stream(request: VendorRequest): Promise<TrustedAnswer>
}

const defaultAnswerBytesMax = 1024 * 1024

/** `url`: the vendor's address, without a slash at its end. `headers` go with every request: its key, above all. */
export function makeVendorClient({ url, headers }: { url: string; headers: Record<string, string> }): VendorClient {
  const send = ({ method, path, headers: own = {}, json, body, signal }: VendorRequest) =>
    trustedRequest({
      url: new URL(url + path),
      method,
      headers: { accept: 'application/json', ...headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...own },
      ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
      signal,
    })
  return {
    stream: send,
    async json(request) {
      const answer = await send(request)
      return { status: answer.status, headers: answer.headers, body: parsed(await bounded(answer.body, request.answerBytesMax)) }
    },
  }
}

/** The whole of a body as text. Rejects when it is longer than `bytesMax`. */
async function bounded(body: Readable, bytesMax = defaultAnswerBytesMax): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Error(`the answer is larger than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parsed(content: string): Json | undefined {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}
