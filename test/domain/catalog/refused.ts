import { Refusal } from '../../../src/contract/refusals/refusals.ts'

/** Returns the refusal that `act` throws. Anything else, also success, fails the test. */
export function refused(act: () => unknown): Refusal {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('was not refused')
}
