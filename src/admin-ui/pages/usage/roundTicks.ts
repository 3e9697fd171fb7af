const steps = [1, 2, 2.5, 5, 10]
const intervalsMax = 5

/** Ticks of an axis from 0 to at least `most`, in steps of 1, 2, 2.5 or 5 times a power of ten. */
export function roundTicks(most: number): number[] {
  if (most <= 0) return [0, 1]
  const least = most / intervalsMax
  const power = 10 ** Math.floor(Math.log10(least))
  const step = power * (steps.find((each) => each * power >= least * (1 - Number.EPSILON)) ?? 10)
  const count = Math.ceil(most / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}
