import { z } from 'zod'
import { refusalOfZod } from '../../contract/refusals/issues.ts'
import type { Refusal } from '../../contract/refusals/refusals.ts'

/** The refusal of arguments that a schema did not take. What stands under `input` is named as it is over REST, without that step. */
export function refusalOfInput(error: z.ZodError, args: Record<string, unknown>): Refusal {
  const isNested = error.issues.every(({ path }) => path[0] === 'input')
  if (!isNested) return refusalOfZod(error, args, 'body')
  const issues = error.issues.map((issue) => ({ ...issue, path: issue.path.slice(1) }))
  return refusalOfZod(new z.ZodError(issues), args['input'], 'body')
}
