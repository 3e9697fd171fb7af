import type { FastifyRequest } from 'fastify'

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']

/** True for a request from this very machine, unless a proxy says that it brings it from elsewhere. */
export function isLocalCaller({ headers, socket }: FastifyRequest): boolean {
  return isLoopback(socket.remoteAddress ?? '') && !forwardingHeaders.some((name) => headers[name] !== undefined)
}

/** True for the addresses, and the name, of this machine that no other one reaches. */
export function isLoopback(host: string): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(host) || host === '::1' || host.toLowerCase() === 'localhost'
}
