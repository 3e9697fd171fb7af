/**
 * The kind of failure of an outgoing request.
 * `bad_url`: the URL itself is not allowed, see {@link UrlProblem}. `private_address`: it leads to a private address, directly or after a
 * redirect. `status`: the status is outside 2xx. `truncated`: the body ended early. `aborted`: our side stopped the request.
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
 * The error of an outgoing request. Operators and subscribers read `message` in logs: it never contains secrets, nor text of the other
 * side except the address of a redirect. `status` is the HTTP status (kinds `status` and `redirect`), `problem` the detail of `bad_url`.
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
