import { expect, test } from 'vitest'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { parseCidrs } from '../../src/network/addresses.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext } from '../support/factories.ts'
import { deletable, fuzz } from './fuzz.ts'
import { operations } from './requests.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_120)
const requests = process.env['FUZZ_REQUESTS']
/** These cost ten times as much, so `npm test` sends fewer of them: uploads are inspected, and the document is long. */
const fewerRequests: Record<string, number> = { uploadFile: 200, getDescription: 150 }
const requestsPerOperation = (operationId: string) => Number(requests ?? fewerRequests[operationId] ?? 400)
const limited = ['deleteFile', 'revokeKey', 'deleteWebhook', 'sendTestEvent', 'issueKey', 'createWebhook']
const webhooksToLoopback = { allowedPrivateAddresses: parseCidrs('127.0.0.9/32') }
/** Many times the duration of all operations on an idle machine. */
const timeLimitMs = 60_000 + Number(requests ?? 400) * 150

test(
  `no request makes an operation fail, answer what it does not declare, or take an invalid body (seed ${seed})`,
  async () => {
    const app = await testApp({
      undescribed: true,
      settings: { requestsPerMinute: 1_000_000_000, requestsInProgress: 10_000, ...webhooksToLoopback },
    })
    try {
      const { violations, statuses } = await fuzz(app, { seed, requestsPerOperation })
      expect(violations).toEqual([])
      expect(await checkBooks(aServiceContext(app.services))).toEqual({ clean: true, faults: [] })
      // Enough requests reach the domain.
      for (const { operationId } of operations) {
        const answered = statuses[operationId]
        const taken = [200, 201, 204].reduce((sum, status) => sum + (answered?.[status] ?? 0), 0)
        // An object can be deleted only once, and a minute or a day has few test events and new keys.
        const fewest = limited.includes(operationId) ? deletable / 2 : requestsPerOperation(operationId) / 50
        expect({ operationId, isTaken: taken > fewest }).toEqual({ operationId, isTaken: true })
      }
      if (requests) console.log(statuses)
    } finally {
      await app.close()
    }
  },
  timeLimitMs,
)
