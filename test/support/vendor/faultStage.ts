import type { GenerationRequest } from '../../../src/contract/shapes/generationRequest.ts'
import type { Bill } from '../billing/work.ts'
import { startVendor } from './vendorServer.ts'
import { type WorkerPlaces, workerEnvironment } from './workerProcesses.ts'

/** The stage of a fault run: models, environment of worker processes, and the vendors' records. */
export type FaultStage = {
  env: NodeJS.ProcessEnv
  /** The n-th request, with a unique prompt. */
  request(n: number): GenerationRequest
  /** Generations that a vendor accepted more than once. */
  submittedTwice(): number
  /**
   * The bill of the vendor, after all its work is done. `states`: final states of generations by prompt; `kills`:
   * times of kills, of `performance.now()`.
   */
  bill?(states: ReadonlyMap<string, string>, kills: readonly number[]): Promise<Bill>
  close(): Promise<void>
}

/** A vendor without faults, so that every generation must become ready. */
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
