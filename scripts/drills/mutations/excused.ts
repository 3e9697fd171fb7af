import type { Mutant } from '../../../test/support/mutations/mutantsOf.ts'

type Excused = { path: string; from: string; to: string; reason: string }

/** Breaks that no test can or should notice. */
const excused: readonly Excused[] = []

export function reasonToExcuse(path: string, { from, to }: Mutant): string | undefined {
  return excused.find((each) => each.path === path && each.from === from && each.to === to)?.reason
}
