import { type FailureClass, failureTable } from './failures/failures.ts'
import { type RefusalCode, refusalTable } from './refusals/refusals.ts'

/** The page that explains every refusal and failure, from the origin of the service. */
export const errorsPath = '/docs/errors'

/** The paragraph of a refusal on that page. */
export function refusalParagraph(code: RefusalCode): string {
  return code
}

/** The paragraph of a failure, or of a whole class: some classes are named like refusals, so that theirs have a word before the name. */
export function failureParagraph(code: FailureClass, reason?: string): string {
  return reason === undefined ? `failure-${code}` : `${code}-${reason}`
}

/** Where refusals and failures are explained. */
export type DocUrls = {
  refusal(code: RefusalCode): string
  /** A reason that has left the table is explained as its class. */
  failure(code: FailureClass, reason: string): string
}

/**
 * All addresses are made here, once for a process: one is in every refusal. `publicUrl` has no slash at its end.
 * Contract: docs/contract.md#refusal-object.
 */
export function docUrlsAt(publicUrl: string): DocUrls {
  const addressOf = (paragraph: string) => `${publicUrl}${errorsPath}#${paragraph}`
  const refusals = new Map(Object.keys(refusalTable).map((code) => [code, addressOf(refusalParagraph(code as RefusalCode))]))
  const failures = new Map<string, string>()
  for (const [code, { reasons }] of Object.entries(failureTable)) {
    for (const reason of [undefined, ...Object.keys(reasons)]) {
      const paragraph = failureParagraph(code as FailureClass, reason)
      failures.set(paragraph, addressOf(paragraph))
    }
  }
  return {
    refusal: (code) => refusals.get(code) ?? `${publicUrl}${errorsPath}`,
    failure: (code, reason) =>
      failures.get(failureParagraph(code, reason)) ?? failures.get(failureParagraph(code)) ?? `${publicUrl}${errorsPath}`,
  }
}
