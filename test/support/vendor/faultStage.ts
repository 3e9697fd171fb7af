import type { GenerationRequest } from '../../../src/contract/shapes/generationRequest.ts'
import type { Bill } from '../billing/work.ts'
import { startVendor } from './vendorServer.ts'
import { type WorkerPlaces, workerEnvironment } from './workerProcesses.ts'

/** Where a run of faults plays: models, what worker processes need to reach them, and what their vendors saw. */
export type FaultStage = {
  env: NodeJS.ProcessEnv
  /** The n-th request, told from all others by its prompt. */
  request(n: number): GenerationRequest
  /** Generations whose work a vendor took in more than once. */
  submittedTwice(): number
  /**
   * What a vendor that bills was paid for. Waits until it has made everything. `states`: how generations ended, by their prompts; `kills`:
   * when processes were killed, of `performance.now()`.
   */
  bill?(states: ReadonlyMap<string, string>, kills: readonly number[]): Promise<Bill>
  close(): Promise<void>
}

/** A vendor that is never in trouble, so that every generation must end well. */
export async function reliableStage(places: WorkerPlaces): Promise<FaultStage> {
  const vendor = await startVendor({ pollsUntilDone: 2 })
  return {
    env: workerEnvironment({ ...places, vendorUrl: vendor.url }),
    request: (n) => ({ familyId: 'vendor-image', prompt: `number ${n}.` }),
    submittedTwice() {
      const perGeneration = Map.groupBy(vendor.jobs.keys(), (key) => key.split('.')[0])
      return [...perGeneration.values()].filter((keys) => keys.length > 1).length
    },
    close: () => vendor.close(),
  }
}
