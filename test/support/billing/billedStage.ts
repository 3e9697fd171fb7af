import { join } from 'node:path'
import type { FaultStage } from '../vendor/faultStage.ts'
import { type WorkerPlaces, workerEnvironment } from '../vendor/workerProcesses.ts'
import { billingFamilies, writeBillingCatalog } from './billingCatalog.ts'
import { startBillingVendor } from './billingVendor.ts'
import { billOf } from './work.ts'

const secondsOfWork = [0.2, 0.4, 1, 2]
const deadlineSeconds = 120

/** A vendor that bills its work and does not recognise repeats; every second generation uses its queue. */
export async function billedStage(places: WorkerPlaces): Promise<FaultStage> {
  const vendor = await startBillingVendor({ secondsOf: (prompt) => secondsOfWork[numberOf(prompt) % secondsOfWork.length] ?? 1 })
  const catalog = join(places.folder, 'billing-catalog')
  await writeBillingCatalog(catalog, { deadlineSeconds })
  return {
    env: { ...workerEnvironment(places), ...vendor.env, CATALOG_PATH: catalog },
    request: (n) => ({ familyId: n % 2 === 0 ? billingFamilies.synchronous : billingFamilies.queued, prompt: `number ${n}.` }),
    submittedTwice: () => vendor.works.length - new Set(vendor.works.map(({ prompt }) => prompt)).size,
    async bill(states, kills) {
      await vendor.idle()
      return billOf(vendor.works, states, kills)
    },
    close: () => vendor.close(),
  }
}

function numberOf(prompt: string): number {
  // Alternates synchronous and queued work, so that both kinds have every duration.
  return Math.floor(Number(/\d+/.exec(prompt)?.[0]) / 2)
}
