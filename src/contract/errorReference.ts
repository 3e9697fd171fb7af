import { type DocUrls, failureParagraph, refusalParagraph } from './docUrl.ts'
import type { Explanation } from './explanation.ts'
import { failureExplanations } from './failures/failureExplanations.ts'
import { type FailureClass, type FailureHint, failureTable } from './failures/failures.ts'
import { classMessage, type PublicFailure, presentFailure } from './failures/presentFailure.ts'
import { issueExplanations } from './refusals/issueExplanations.ts'
import { type RefusalBody, refusalCodes } from './refusals/refusalBody.ts'
import { refusalExample } from './refusals/refusalExamples.ts'
import { refusalExplanations } from './refusals/refusalExplanations.ts'
import { type IssueCode, type RefusalCode, refusalTable } from './refusals/refusals.ts'

/** An entry of the page of errors. `meaning` and `remedy` are Markdown without links. */
export type ErrorEntry = RefusalEntry | FailureEntry

/** A refusal. */
export type RefusalEntry = Explanation & {
  kind: 'refusal'
  /** The fragment of `docUrl`. */
  id: string
  code: RefusalCode
  http: number
  /** False when it depends on the cause; `retryableWhen` then has the condition. */
  retryable: boolean
  retryableWhen?: string
  message: string
  example: RefusalBody
}

/** A failure class or reason. A class has no `reason`, `hint` or `example`. */
export type FailureEntry = Explanation & {
  kind: 'failure'
  /** The fragment of `docUrl`. */
  id: string
  code: FailureClass
  reason?: string
  retryable: boolean
  hint?: FailureHint
  message: string
  example?: { state: 'failed'; error: PublicFailure }
}

export type IssueEntry = Explanation & { code: IssueCode }

/**
 * Every refusal, then every failure class with its reasons, in the order of the tables. Contract: docs/contract.md#documentation-site.
 */
export function errorReference(docUrls: DocUrls): ErrorEntry[] {
  return [...refusalCodes.map((code) => refusalEntry(code, docUrls)), ...classes.flatMap((code) => failureEntries(code, docUrls))]
}

/** Every issue code, in the order of the contract. */
export const issueReference: readonly IssueEntry[] = Object.entries(issueExplanations).map(([code, words]) => ({
  code: code as IssueCode,
  ...words,
}))

const classes = Object.keys(failureTable) as FailureClass[]

function refusalEntry(code: RefusalCode, docUrls: DocUrls): RefusalEntry {
  const { http, retryable, message } = refusalTable[code]
  return {
    kind: 'refusal',
    id: refusalParagraph(code),
    code,
    http,
    retryable,
    message,
    ...refusalExplanations[code],
    example: refusalExample(code, docUrls),
  }
}

/** Example details by reason. */
const exampleDetails: Readonly<Record<string, Record<string, number>>> = {
  prompt_too_long: { maxLength: 2000, actualLength: 2417 },
  file_too_large: { maxBytes: 10_485_760, actualBytes: 20_971_520 },
}

function failureEntries(code: FailureClass, docUrls: DocUrls): FailureEntry[] {
  const { retryable, reasons } = failureTable[code]
  const { meaning, remedy, reasons: words } = failureExplanations[code]
  const ofClass: FailureEntry = { kind: 'failure', id: failureParagraph(code), code, retryable, message: classMessage, meaning, remedy }
  const ofReasons = Object.keys(reasons).map((reason): FailureEntry => {
    const details = exampleDetails[reason]
    const error = presentFailure({ code, reason: reason as never, ...(details ? { details } : {}) }, docUrls)
    return {
      kind: 'failure',
      id: failureParagraph(code, reason),
      code,
      reason,
      retryable,
      hint: error.hint,
      message: error.message,
      ...(words as Readonly<Record<string, Explanation>>)[reason]!,
      example: { state: 'failed', error },
    }
  })
  return [ofClass, ...ofReasons]
}
