/** Said wherever nobody but the operator of the service can help, as the service says it in its refusals. */
export const askOperator = 'Ask whoever runs this service.'

/** The same with what to ask for: `add some` for one. */
export function askOperatorTo(wish: string): string {
  return askOperator.replace(/\.$/, ` to ${wish}.`)
}
