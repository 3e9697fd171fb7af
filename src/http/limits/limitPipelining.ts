import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

export type PipeliningLimits = {
  /** At this number of unanswered requests, the connection is not read any further. */
  unansweredMax: number
  /** One read of 64 KiB may contain more requests. At this number the connection is closed. */
  unansweredCut: number
}

/** A client may pipeline 32 requests. 64 requests with browser headers fill one read. */
const defaultLimits: PipeliningLimits = { unansweredMax: 32, unansweredCut: 64 }

type Exchange = { request: Parameters<RequestListener>[0]; response: Parameters<RequestListener>[1] }
type Pipeline = { isAnswering: boolean; isHeld: boolean; waiting: Exchange[] }

/**
 * Wraps a request handler so that each connection has one request in progress and a limited queue. node:http starts every pipelined
 * request once it is parsed and queues the responses in memory, so a client that reads nothing could fill the memory. HTTP/1.1 answers in
 * order, so a client gains nothing from an earlier start.
 */
export function limitPipelining(handle: RequestListener, limits: PipeliningLimits = defaultLimits): RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>()

  const startNext = (socket: Socket, pipeline: Pipeline): void => {
    // No request starts after a response that closes the connection.
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
  // Node resumes the socket after each request body.
  socket.on('resume', () => {
    if (pipeline.isHeld) socket.pause()
  })
  return pipeline
}

/**
 * Closes a connection and stops its parser, which would otherwise create thousands of requests from one read. The parser stops when its
 * callback returns 2 (upgrade). That callback is an undocumented part of Node; without it, this only costs more time.
 */
function cut(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming?: unknown } }
  if (parser?.onIncoming) parser.onIncoming = () => 2
  socket.destroy()
}
