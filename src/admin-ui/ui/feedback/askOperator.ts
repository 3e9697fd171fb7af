/** Used where only the operator can help, with the same text as in refusals. */
export const askOperator = 'Ask the operator of this service.'

/** The same with a request, such as `add some`. */
export function askOperatorTo(wish: string): string {
  return askOperator.replace(/\.$/, ` to ${wish}.`)
}

/** Why a start is refused that costs more than the team has. */
export const noCreditsText = `The team does not have enough credits. ${askOperatorTo('add some')}`
