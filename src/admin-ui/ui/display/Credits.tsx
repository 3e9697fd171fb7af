const figures = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })

/** Formats an amount of credits with its unit. */
export function formatCredits(amount: number): string {
  return `${figures.format(amount)} ${amount === 1 ? 'credit' : 'credits'}`
}

/** An amount of credits in tabular digits. With `unit` it includes the unit. */
export function Credits({ amount, unit = false }: { amount: number | null | undefined; unit?: boolean }) {
  if (amount === null || amount === undefined) return <span>–</span>
  return <span className="tabular">{unit ? formatCredits(amount) : figures.format(amount)}</span>
}
