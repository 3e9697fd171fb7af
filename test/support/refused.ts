import { Refusal, type RefusalDetails } from '../../src/contract/refusals/refusals.ts'

/** Returns the refusal of `work`. Anything else fails the test. */
export async function refused(work: Promise<unknown>): Promise<{ code: string; details: RefusalDetails | undefined }> {
  try {
    await work
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, details: error.details }
    throw error
  }
  throw new Error('nothing was refused')
}

/** The only issue of an invalid_request, as `path: code`. */
export async function issueOf(work: Promise<unknown>): Promise<string> {
  const { code, details } = await refused(work)
  if (code !== 'invalid_request') throw new Error(`refused with ${code}`)
  const issues = details?.['issues'] as { path: (string | number)[]; code: string }[]
  return issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join(', ')
}
