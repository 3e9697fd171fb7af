import { once } from 'node:events'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'

export type UploadLoad = { url: string; headers: Record<string, string>; body: Buffer; clients: number; uploads: number }

/** Sends the same body `uploads` times with concurrent clients; returns the seconds. */
export async function uploadLoad({ url, headers, body, clients, uploads }: UploadLoad): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  let left = uploads
  const startedAt = performance.now()
  const client = async () => {
    while (left > 0) {
      left -= 1
      const sending = request(url, { agent, method: 'POST', headers: { ...headers, 'content-length': body.length } })
      sending.end(body)
      const [answer] = (await once(sending, 'response')) as [IncomingMessage]
      const received = await json(answer)
      if (answer.statusCode !== 201) throw new Error(`an upload got status ${answer.statusCode}: ${JSON.stringify(received)}`)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  agent.destroy()
  return (performance.now() - startedAt) / 1000
}

/** Reads the same address `times` times with concurrent clients; returns the seconds. */
export async function downloadLoad({ url, clients, times }: { url: string; clients: number; times: number }): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  let left = times
  const startedAt = performance.now()
  const client = async () => {
    while (left > 0) {
      left -= 1
      const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage]
      if (answer.statusCode !== 200) throw new Error(`a download got status ${answer.statusCode}`)
      answer.resume()
      await once(answer, 'end')
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  agent.destroy()
  return (performance.now() - startedAt) / 1000
}

const boundary = 'a-boundary-of-the-bench'

export const formType = `multipart/form-data; boundary=${boundary}`

/** Creates a form with only this file. */
export function formOf(file: Buffer): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n\r\n`
  return Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)])
}
