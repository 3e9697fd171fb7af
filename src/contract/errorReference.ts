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

/** A paragraph of the page of errors. `meaning` and `remedy` are Markdown without links. */
export type ErrorEntry = RefusalEntry | FailureEntry

/** What an endpoint says when it says no. */
export type RefusalEntry = Explanation & {
  kind: 'refusal'
  /** The fragment that `docUrl` leads to. */
  id: string
  code: RefusalCode
  http: number
  /** `retryableWhen` says when it is, where that goes by the cause; `retryable` is false then. */
  retryable: boolean
  retryableWhen?: string
  message: string
  example: RefusalBody
}

/** How a generation ends badly: a class, followed by its reasons. A class has neither `reason` nor `hint` nor `example`. */
export type FailureEntry = Explanation & {
  kind: 'failure'
  /** The fragment that `docUrl` leads to. */
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
 * Every refusal, then every class of failures with its reasons, in the order of the tables. Contract: docs/contract.md#documentation-site.
 */
export function errorReference(docUrls: DocUrls): ErrorEntry[] {
  return [...refusalCodes.map((code) => refusalEntry(code, docUrls)), ...classes.flatMap((code) => failureEntries(code, docUrls))]
}

/** Every code of `details.issues[]`, in the order of the contract. */
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

/** Numbers that go with a reason. */
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
