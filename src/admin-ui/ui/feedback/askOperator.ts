/** Used where only the operator can help, with the same text as in refusals. */
export const askOperator = 'Ask the operator of this service.'

/** The same with a request, such as `add some`. */
export function askOperatorTo(wish: string): string {
  return askOperator.replace(/\.$/, ` to ${wish}.`)
}
