import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { stagedKeyOf } from '../../../src/domain/generations/results/stageOutput.ts'
import type { JobContext } from '../../../src/jobs/runners/jobContext.ts'
import { openSubmits } from '../../../src/jobs/steps/openSubmits.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { aJobContext } from '../generations/jobContext.ts'
import { expectInvariants, failureOf } from './caseInvariants.ts'
import type { Lab } from './lab.ts'
import { type Job, type VendorCase, vendorCase } from './vendorCase.ts'
import type { VendorUnderTest } from './vendorUnderTest.ts'

const moments = (['submit', 'poll', 'collect', 'put'] as const).flatMap((call) =>
  (['before', 'after'] as const).map((when) => ({ call, when })),
)
type Moment = (typeof moments)[number]

/** The process crashes between any two steps, and another one takes over. */
export function crashTests(_underTest: VendorUnderTest, lab: () => Lab): void {
  test.each(moments)(
    'a death $when $call: the work goes on elsewhere, or is given up where nobody can know; never twice',
    async (moment) => {
      const life = crashingProcess(moment)
      const made = await vendorCase(lab(), { behaviour: { kind: 'well' }, between: life.provider })
      const died = await runUntilCrash(made, life.context(lab(), made.provider), life.ended)
      const taken = made.fake.accepted.length
      // An answer that was stored before the process ended is found in the storage.
      const isStored = (await lab().app.services.storage.size(stagedKeyOf({ id: made.generationId, attempt: 1 }))) !== undefined
      await expireProcess(lab())
      if (died) await made.run(died)
      const ended = await made.settle()
      const isUnknown = died?.task === 'submitGeneration' && !made.provider.capabilities.idempotentSubmit && !isStored
      expect([ended.state, failureOf(ended)]).toEqual(isUnknown ? ['failed', 'internal_error/submit_unknown'] : ['ready', undefined])
      await expectInvariants(lab(), made, { charged: !isUnknown, accepted: isUnknown ? taken : 1 })
    },
  )
}

/** Returns the job in which the process crashed, if it reached that moment. */
async function runUntilCrash(made: VendorCase, context: JobContext, ended: Promise<'dead'>): Promise<Job | undefined> {
  for (let job = await made.next(); job; job = await made.next()) {
    const running = made.run(job, context)
    running.catch(() => undefined)
    if ((await Promise.race([running, ended])) === 'dead') return job
  }
  return undefined
}

/** A process that crashes at that moment: nothing of it continues or answers afterwards. */
function crashingProcess({ call, when }: Moment) {
  const end = Promise.withResolvers<'dead'>()
  let isOver = false
  const die = () => {
    isOver = true
    end.resolve('dead')
    return neverResolves()
  }
  const around = async <Answer>(name: Moment['call'], ask: () => Promise<Answer>): Promise<Answer> => {
    if (name === call && when === 'before') return die()
    const answer = await ask()
    return name === call ? die() : answer
  }
  return {
    ended: end.promise,
    /** Also used by the process that takes over. */
    provider(made: Provider): Provider {
      const guarded = <Answer>(name: Moment['call'], ask: () => Promise<Answer>) => (isOver ? ask() : around(name, ask))
      return {
        ...made,
        submit: (...asked) => guarded('submit', () => made.submit(...asked)),
        poll: (...asked) => guarded('poll', () => made.poll(...asked)),
        collect: (...asked) => guarded('collect', () => made.collect(...asked)),
      }
    },
    context({ app: { services } }: Lab, ofCase: Provider): JobContext {
      const storage: Storage = { ...services.storage, put: (...asked) => around('put', () => services.storage.put(...asked)) }
      const own = { ...services, pool: crashingPool(services.pool, () => isOver), storage }
      return aJobContext(own, { providers: [ofCase], openSubmits: openSubmits(crashingProcessId) })
    },
  }
}

const crashingProcessId = 'proc_mortal'

/** The live processes have detected the crash, and no answer can arrive. */
async function expireProcess({ app }: Lab): Promise<void> {
  await app.services.pool.query(`insert into buried_processes (id, answers_until) values ($1, '-infinity') on conflict (id) do nothing`, [
    crashingProcessId,
  ])
}

function neverResolves(): Promise<never> {
  return new Promise(() => undefined)
}

function crashingPool(pool: Pool, isOver: () => boolean): Pool {
  return new Proxy(pool, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) =>
        isOver() && (name === 'query' || name === 'connect') ? neverResolves() : Reflect.apply(value, target, args)
    },
  })
}
