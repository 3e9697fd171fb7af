/** The command line or one of its files is wrong. No request was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** There is no API key. Its exit code is that of a wrong key. */
export class MissingKey extends UsageError {}
