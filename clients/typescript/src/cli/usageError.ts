/** The command line or one of its files is wrong. No request was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
