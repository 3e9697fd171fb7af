import { z } from 'zod'

/** For how long the `secret` before a rotation stays valid, in whole hours. */
export function overlapHours(secret: string, max: number) {
  const description = `For how many hours the present ${secret} stays valid; at most ${max}. 0 invalidates it at once.`
  return z.int().min(0).max(max).nullable().default(0).meta({ description })
}
