import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

export type PipeliningLimits = {
  /** Unanswered requests of one connection from which on nothing more is read from it. */
  unansweredMax: number
  /** One read of 64 KiB may bring more of them; past this the connection is closed. */
  unansweredCut: number
}

/** A client may pipeline 32 requests. 64 requests with the headers of a browser fill one read. */
const defaultLimits: PipeliningLimits = { unansweredMax: 32, unansweredCut: 64 }

type Exchange = { request: Parameters<RequestListener>[0]; response: Parameters<RequestListener>[1] }
type Pipeline = { isAnswering: boolean; isHeld: boolean; waiting: Exchange[] }

/**
 * Wraps a request handler so that each connection has one request in progress, and a bounded number of requests behind it. By itself
 * node:http starts every pipelined request as soon as it is parsed and queues the answers in memory, where a client that reads nothing
 * can pile them up. HTTP/1.1 answers in order, so a client gains nothing from an earlier start.
 */
export function limitPipelining(handle: RequestListener, limits: PipeliningLimits = defaultLimits): RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>()

  const startNext = (socket: Socket, pipeline: Pipeline): void => {
    // An answer that closes the connection is its last.
    const next = socket.destroyed || socket.writableEnded ? undefined : pipeline.waiting.shift()
    pipeline.isAnswering = next !== undefined
    if (!next) return void pipeline.waiting.splice(0)
    next.response.once('close', () => startNext(socket, pipeline))
    if (pipeline.isHeld && pipeline.waiting.length + 1 < limits.unansweredMax) {
      pipeline.isHeld = false
      socket.resume()
    }
    handle(next.request, next.response)
  }

  return (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const pipeline = pipelines.get(socket) ?? open(socket, pipelines)
    pipeline.waiting.push({ request, response })
    if (!pipeline.isAnswering) return startNext(socket, pipeline)
    if (pipeline.waiting.length >= limits.unansweredCut) return cut(socket)
    if (pipeline.waiting.length + 1 < limits.unansweredMax) return
    pipeline.isHeld = true
    socket.pause()
  }
}

function open(socket: Socket, pipelines: WeakMap<Socket, Pipeline>): Pipeline {
  const pipeline = { isAnswering: false, isHeld: false, waiting: [] }
  pipelines.set(socket, pipeline)
  // Node resumes the socket whenever the body of a request was read.
  socket.on('resume', () => {
    if (pipeline.isHeld) socket.pause()
  })
  return pipeline
}

/**
 * Closes a connection, and ends its parser, which would make thousands of requests of one read that nobody answers. It ends when its
 * callback announces an upgrade, with 2; that callback is a part of Node that is not documented, and without it only the work is more.
 */
function cut(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming?: unknown } }
  if (parser?.onIncoming) parser.onIncoming = () => 2
  socket.destroy()
}
