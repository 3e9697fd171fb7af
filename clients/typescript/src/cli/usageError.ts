/** The command line itself is at fault, or a file that it names: nothing was asked of the service. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
