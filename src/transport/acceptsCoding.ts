import type { FastifyRequest } from 'fastify'

export type Coding = 'br' | 'gzip'

const acceptedForms = {
  br: /^\s*br\s*(;\s*q\s*=\s*(?!0(\.0*)?\s*$)[\d.]+\s*)?$/,
  gzip: /^\s*gzip\s*(;\s*q\s*=\s*(?!0(\.0*)?\s*$)[\d.]+\s*)?$/,
}

/** True when Accept-Encoding lists the coding with a quality above 0. */
export function acceptsCoding(request: FastifyRequest, coding: Coding): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
  return accepted.some((each) => acceptedForms[coding].test(each))
}
