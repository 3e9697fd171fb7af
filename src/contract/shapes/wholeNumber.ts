import { z } from 'zod'
import type { CustomParams } from '../refusals/issues.ts'

/**
 * A whole number in a query, only decimal digits. `over`: whether a number above `max` is refused or replaced by `max`.
 */
export function wholeNumber({ min, max, over }: { min: number; max: number; over: 'refuse' | 'clamp' }) {
  const schema = z.string().transform((text, context) => {
    const refuse = (issue: CustomParams['issue'], message: string) => {
      context.addIssue({ code: 'custom', message, params: { issue } satisfies CustomParams })
      return z.NEVER
    }
    if (!/^\d+$/.test(text)) return refuse('wrong_type', 'Takes a whole number in plain decimal digits.')
    const number = Number(text)
    if (number < min) return refuse('too_small', `Takes at least ${min}.`)
    if (number <= max) return number
    return over === 'clamp' ? max : refuse('too_big', `Takes at most ${max}.`)
  })
  return schema.meta({ override: { type: 'integer', minimum: min, ...(over === 'refuse' ? { maximum: max } : {}) } })
}
