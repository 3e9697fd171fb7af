/** Said wherever nobody but the operator of the service can help. */
export const askOperator = 'Ask whoever runs this service.'

/** The same with what to ask for: `make an account` for one. */
export function askOperatorTo(wish: string): string {
  return askOperator.replace(/\.$/, ` to ${wish}.`)
}
