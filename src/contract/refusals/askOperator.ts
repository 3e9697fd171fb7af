/** The remedy when only the operator of the service can help. */
export const askOperator = 'Ask the operator of this service.'

/** The same with the request to make, for example `create an account`. */
export function askOperatorTo(request: string): string {
  return askOperator.replace(/\.$/, ` to ${request}.`)
}
