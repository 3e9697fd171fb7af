import { mkdir } from 'node:fs/promises'
import { writeBillingCatalog } from '../../../test/support/billing/billingCatalog.ts'
import { type BillingVendor, startBillingVendor } from '../../../test/support/billing/billingVendor.ts'
import { type HookReceiver, startHookReceiver } from '../../../test/support/chaos/hookReceiver.ts'
import { billedSecondsOf } from '../../../test/support/chaos/load.ts'
import { serviceToken } from '../../../test/support/chaos/serviceProcess.ts'
import type { Settings } from './deployment.ts'

/** The services that a deployment calls: a vendor that bills each request, and a receiver of webhooks. */
export type ExternalServices = {
  vendor: BillingVendor
  receiver: HookReceiver
  /** The settings of a deployment that calls them, except CATALOG_PATH, which depends on the deployment. */
  settings: Settings
  close(): Promise<void>
}

const deadlineSeconds = 120

export async function openExternalServices(): Promise<ExternalServices> {
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
