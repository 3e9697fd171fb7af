import { mkdir } from 'node:fs/promises'
import { writeBillingCatalog } from '../../../test/support/billing/billingCatalog.ts'
import { type BillingVendor, startBillingVendor } from '../../../test/support/billing/billingVendor.ts'
import { type HookReceiver, startHookReceiver } from '../../../test/support/chaos/hookReceiver.ts'
import { billedSecondsOf } from '../../../test/support/chaos/load.ts'
import { serviceToken } from '../../../test/support/chaos/serviceProcess.ts'
import type { Settings } from './way.ts'

/** What a deployment talks to: a vendor that bills each request, and a receiver of webhooks. */
export type Surroundings = {
  vendor: BillingVendor
  receiver: HookReceiver
  /** The settings of a deployment that uses them. CATALOG_PATH is not among them: the path depends on the way. */
  settings: Settings
  close(): Promise<void>
}

const deadlineSeconds = 120

export async function openSurroundings(): Promise<Surroundings> {
  const vendor = await startBillingVendor({ secondsOf: billedSecondsOf })
  const receiver = await startHookReceiver()
  return {
    vendor,
    receiver,
    settings: {
      ...vendor.env,
      SERVICE_TOKEN: serviceToken,
      ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
      RATE_LIMIT_PER_MINUTE: '1000000',
      WEBHOOK_FIRST_RETRY_SECONDS: '1',
      LOG_LEVEL: 'warn',
    },
    async close() {
      await receiver.leave()
      await vendor.close()
    },
  }
}

/** Writes the families of the vendor into a new folder for CATALOG_PATH. */
export async function writeCatalog(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 })
  await writeBillingCatalog(folder, { deadlineSeconds })
}
