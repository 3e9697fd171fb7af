import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'

export type VendorJob = { id: string; idempotencyKey: string; polls: number; cancelled: boolean }

export type VendorServer = {
  url: string
  /** Every job that was taken in, by its idempotency key. */
  jobs: Map<string, VendorJob>
  /** Requests to take in work, repeats included. */
  submits: number
  close(): Promise<void>
}

/** A model vendor with real sockets: takes work in once per idempotency key, is done after `pollsUntilDone` looks, gives a PNG. */
export async function startVendor(options: { pollsUntilDone: number }): Promise<VendorServer> {
  const jobs = new Map<string, VendorJob>()
  const png = tinyPng()
  const vendor: VendorServer = { url: '', jobs, submits: 0, close: async () => undefined }
  const byId = new Map<string, VendorJob>()
  const server = createServer(async (request, response) => {
    const [, , id = '', action] = (request.url ?? '').split('/')
    const json = (value: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
    if (request.method === 'POST' && !id) {
      await drained(request)
      vendor.submits++
      const key = String(request.headers['idempotency-key'])
      const job = jobs.get(key) ?? { id: `job${jobs.size}`, idempotencyKey: key, polls: 0, cancelled: false }
      jobs.set(key, job)
      byId.set(job.id, job)
      return json({ id: job.id })
    }
    const job = byId.get(id)
    if (!job) return response.writeHead(404).end()
    if (action === 'output') return response.setHeader('content-type', 'image/png').end(png)
    if (action === 'cancel') job.cancelled = true
    else job.polls++
    return json({ done: job.polls >= options.pollsUntilDone, cancelled: job.cancelled })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  vendor.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return vendor
}

async function drained(request: IncomingMessage): Promise<void> {
  for await (const _ of request);
}

/** A valid 2 × 2 PNG, written by hand so that a child needs no image library for it. */
function tinyPng(): Buffer {
  const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0])
  const rows = Buffer.from([0, 255, 0, 0, 0, 255, 0, 0, 0, 0, 255, 255, 255, 255])
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([size, named, sum])
}
