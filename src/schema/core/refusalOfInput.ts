import { z } from 'zod'
import { refusalOfZod } from '../../contract/refusals/issues.ts'
import type { Refusal } from '../../contract/refusals/refusals.ts'

/** The refusal of invalid arguments. Paths below `input` omit that step, so that they equal those of REST. */
export function refusalOfInput(error: z.ZodError, args: Record<string, unknown>): Refusal {
  const isNested = error.issues.every(({ path }) => path[0] === 'input')
  if (!isNested) return refusalOfZod(error, args, 'body')
  const issues = error.issues.map((issue) => ({ ...issue, path: issue.path.slice(1) }))
  return refusalOfZod(new z.ZodError(issues), args['input'], 'body')
}
