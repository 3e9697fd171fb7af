import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { OtherTeamOptions, TrafficSample } from './otherTeam.ts'

/** Sends requests at fixed times, independent of responses, so that a stall delays as many requests as in production. */
const { port, keys, requestsPerSecond } = workerData as OtherTeamOptions
const periodMs = 1000 / requestsPerSecond
const patienceMs = 15_000
/** Each is used several times a second. A new connection would wait behind a flood of connections, because the kernel accepts in order. */
const connections = 8
const agent = new Agent({ keepAlive: true, scheduling: 'fifo', maxSockets: connections, maxFreeSockets: connections })

let met: TrafficSample = { samples: [], lateMs: 0, started: [] }
let lastStarted = ''
const due = new Set<Promise<void>>()

const picture = { familyId: 'sandbox-image', prompt: 'a lighthouse', parameters: { width: 96, height: 96 } }
type Question = { what: string; method: 'GET' | 'POST'; path(): string; body?: object }
const list = (path: string): Question => ({ what: `GET ${path}`, method: 'GET', path: () => path })

/** Two starts a second, and reads. */
const round: Question[] = [
  { what: 'POST /generations', method: 'POST', path: () => '/generations', body: picture },
  { what: 'GET /generations/{id}', method: 'GET', path: () => (lastStarted === '' ? '/account' : `/generations/${lastStarted}`) },
  list('/account'),
  list('/families/sandbox-image'),
  { what: 'POST /generations/estimate', method: 'POST', path: () => '/generations/estimate', body: picture },
  list('/generations?limit=10'),
  list('/account'),
  { what: 'GET /generations/{id}', method: 'GET', path: () => (lastStarted === '' ? '/account' : `/generations/${lastStarted}`) },
  list('/families'),
  list('/usage?by=day'),
]

function ask({ what, method, path, body }: Question, key: string): Promise<void> {
  const into = met
  const text = body && JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${key}`,
    ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  const begunAt = performance.now()
  return new Promise((resolve) => {
    let status: number | undefined
    const done = (answered?: string) => {
      into.samples.push({ what, ms: performance.now() - begunAt, status })
      if (method === 'POST' && status === 201 && answered !== undefined) {
        lastStarted = (JSON.parse(answered) as { generationId: string }).generationId
        into.started.push(lastStarted)
      }
      resolve()
    }
    const asking = request({ port, host: '127.0.0.1', localAddress: '127.0.1.1', agent, method, path: `/api/v1${path()}`, headers })
    asking.setTimeout(patienceMs, () => asking.destroy())
    asking.once('error', () => {
      status = undefined
      done()
    })
    asking.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', () => asking.destroy())
      response.once('end', () => {
        status = response.statusCode
        done(Buffer.concat(chunks).toString())
      })
    })
    asking.end(text)
  })
}

await Promise.all(Array.from({ length: connections }, () => ask(list('/account'), keys[0] as string)))
const begunAt = performance.now()
let sent = 0
setInterval(() => {
  while (begunAt + sent * periodMs <= performance.now()) {
    met.lateMs = Math.max(met.lateMs, performance.now() - begunAt - sent * periodMs)
    const asked = ask(round[sent % round.length] as Question, keys[sent % keys.length] as string)
    sent += 1
    due.add(asked)
    void asked.finally(() => due.delete(asked))
  }
}, 2)

parentPort?.on('message', async (message: 'begin' | 'tell') => {
  if (message === 'begin') met = { samples: [], lateMs: 0, started: [] }
  else {
    const told = met
    met = { samples: [], lateMs: 0, started: [] }
    await Promise.all(due)
    parentPort?.postMessage(told)
  }
})
