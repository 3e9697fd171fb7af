import { Refusal } from '../../../src/contract/refusals/refusals.ts'

/** The refusal that `act` throws; anything else, success too, fails the test. */
export function refused(act: () => unknown): Refusal {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('was not refused')
}
