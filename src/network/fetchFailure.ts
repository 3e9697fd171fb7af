/**
 * What went wrong with an outgoing request.
 * `bad_url` is about the address as written, see {@link UrlProblem}; `private_address` about what it leads to, at first or
 * after a redirect; `status` about an answer outside 2xx; `truncated` about a body that broke off; `aborted` means that we stopped.
 */
export type FetchFailureKind =
  | 'bad_url'
  | 'dns'
  | 'private_address'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'status'
  | 'redirect'
  | 'too_large'
  | 'encoding'
  | 'truncated'
  | 'aborted'

export type UrlProblem = 'syntax' | 'scheme' | 'user_information' | 'port'

/**
 * The one error of an outgoing request. `message` is a few plain words of our own for a log that operators and subscribers read:
 * never a secret, never the other side's wording except the address of a redirect.
 * `status` is the HTTP status where there was an answer (kinds `status` and `redirect`), `problem` the detail of `bad_url`.
 */
export class FetchFailure extends Error {
  readonly kind: FetchFailureKind
  readonly status: number | null
  readonly problem: UrlProblem | null

  constructor(kind: FetchFailureKind, words: string, detail: { status?: number; problem?: UrlProblem; cause?: unknown } = {}) {
    super(words, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.name = 'FetchFailure'
    this.kind = kind
    this.status = detail.status ?? null
    this.problem = detail.problem ?? null
  }
}
