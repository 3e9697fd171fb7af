import type { Readable } from 'node:stream'
import type { Json } from '../../contract/json.ts'
import { makeKeptRequests } from '../../network/keptRequests.ts'
import { type TrustedAnswer, type TrustedRequest, trustedRequest } from '../../network/trustedRequest.ts'

/** A vendor's answer. `body`: the parsed JSON; `undefined` when it is not JSON. */
export type VendorAnswer = { status: number; headers: Record<string, string>; body: Json | undefined }

export type VendorRequest = {
  method: TrustedRequest['method']
  /** Appended to the vendor's URL unchanged. The caller escapes untrusted parts. */
  path: string
  headers?: Record<string, string>
  /** Sent as JSON; not with a GET, which has no body. */
  json?: Json
  /** Sent unchanged. The headers must have its content type. */
  body?: TrustedRequest['body']
  signal: AbortSignal
  /** A larger answer rejects. Default 1 MiB. */
  answerBytesMax?: number
}

/**
 * The HTTP client of one vendor. Sends each request once, except a GET, which {@link makeKeptRequests} may repeat. Throws like
 * {@link trustedRequest}.
 */
export type VendorClient = {
  /** Reads the whole answer of any status. */
  json(request: VendorRequest): Promise<VendorAnswer>
  /** The caller reads or destroys the body. */
  stream(request: VendorRequest): Promise<TrustedAnswer>
}

const defaultAnswerBytesMax = 1024 * 1024

/** `url`: the vendor's URL without a trailing slash. `headers` go with every request, such as the key. */
export function makeVendorClient({ url, headers }: { url: string; headers: Record<string, string> }): VendorClient {
  const get = makeKeptRequests(new URL(url).origin)
  const send = ({ method, path, headers: own = {}, json, body, signal }: VendorRequest) => {
    const request = { url: new URL(url + path), headers: { accept: 'application/json', ...headers, ...own }, signal }
    // Polls and results are asked for often, and may be asked for again.
    if (method === 'GET') return get(request)
    if (json === undefined) return trustedRequest({ ...request, method, ...(body === undefined ? {} : { body }) })
    return trustedRequest({
      ...request,
      method,
      headers: { 'content-type': 'application/json', ...request.headers },
      body: JSON.stringify(json),
    })
  }
  return {
    stream: send,
    async json(request) {
      const answer = await send(request)
      return { status: answer.status, headers: answer.headers, body: parsed(await bounded(answer.body, request.answerBytesMax)) }
    },
  }
}

/** The body as text. Rejects when it is longer than `bytesMax`. */
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
