import { onTestFinished } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import { type Admission, makeAdmissionBatcher } from '../../../src/domain/access/admission/admissionBatcher.ts'
import type { Services } from '../../../src/domain/context.ts'
import { bindSql, type Sql } from '../../../src/domain/sql.ts'
import { type TestClock, testClock } from '../clock.ts'
import { aTeamWithKey } from '../factories.ts'

type AdmissionBatcherOptions = { sql?: Sql; clock?: TestClock; slots?: number }

/** Creates admission batchers, each like a separate process, and keys for them. */
export function requestAdmissions(services: Services) {
  return {
    /** Closed when the running test ends. */
    aBatcher({ sql = bindSql(services.pool), clock = testClock(), slots = 32 }: AdmissionBatcherOptions = {}) {
      const errors: unknown[] = []
      const processId = newId('proc')
      const batcher = makeAdmissionBatcher({
        sql,
        processId,
        clock,
        limits: { requestsPerMinute: 600, requestsInProgress: slots },
        onError: (error) => void errors.push(error),
      })
      onTestFinished(() => batcher.close())
      return { batcher, processId, errors }
    },
    async aKey() {
      const team = await aTeamWithKey(services, { credits: 0 })
      return { ...team, subject: `user:${team.user.id}` }
    },
    /** The current slots of a subject by process. */
    async slotsOf(subject: string): Promise<Record<string, number>> {
      const { rows } = await services.pool.query('select in_progress from request_counts where subject = $1', [subject])
      return rows[0]?.in_progress ?? {}
    },
  }
}

/** Runs them concurrently. */
export const times = <Value>(count: number, make: () => Promise<Value>) => Promise.all(Array.from({ length: count }, make))

/** The number of granted slots. */
export const granted = (admitted: Admission[]) => admitted.filter(({ slotGranted }) => slotGranted).length
