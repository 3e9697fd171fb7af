import type { FastifyRequest } from 'fastify'

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']

/** True for a request from this machine, unless a proxy header names another origin. */
export function isLocalCaller({ headers, socket }: FastifyRequest): boolean {
  return isLoopback(socket.remoteAddress ?? '') && !forwardingHeaders.some((name) => headers[name] !== undefined)
}

/** True for loopback addresses and `localhost`. */
export function isLoopback(host: string): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(host) || host === '::1' || host.toLowerCase() === 'localhost'
}
