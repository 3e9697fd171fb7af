import { type FailureClass, failureTable } from './failures/failures.ts'
import { type RefusalCode, refusalTable } from './refusals/refusals.ts'

/** The path of the page that explains every refusal and failure. */
export const errorsPath = '/docs/errors'

/** The fragment of a refusal on that page. */
export function refusalParagraph(code: RefusalCode): string {
  return code
}

/** The fragment of a failure reason or class. A class may have the same name as a refusal, so its fragment has a prefix. */
export function failureParagraph(code: FailureClass, reason?: string): string {
  return reason === undefined ? `failure-${code}` : `${code}-${reason}`
}

/** The URLs of the explanations of refusals and failures. */
export type DocUrls = {
  refusal(code: RefusalCode): string
  /** For a reason that is no longer in the table: the URL of its class. */
  failure(code: FailureClass, reason: string): string
}

/**
 * Builds all URLs once per process, since every refusal contains one. `publicUrl` has no trailing slash.
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
