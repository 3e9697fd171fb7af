const figures = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })

/** An amount of credits in words. */
export function formatCredits(amount: number): string {
  return `${figures.format(amount)} ${amount === 1 ? 'credit' : 'credits'}`
}

/** An amount of credits, in digits that stand below one another. With `unit` it says what it counts. */
export function Credits({ amount, unit = false }: { amount: number | null | undefined; unit?: boolean }) {
  if (amount === null || amount === undefined) return <span>–</span>
  return <span className="tabular">{unit ? formatCredits(amount) : figures.format(amount)}</span>
}
