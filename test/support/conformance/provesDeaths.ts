import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import type { JobContext } from '../../../src/jobs/jobContext.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { aJobContext } from '../jobs.ts'
import { expectSound, failureOf } from './caseRules.ts'
import type { Lab } from './lab.ts'
import { type Job, vendorCase } from './vendorCase.ts'
import type { VendorUnderTest } from './vendorUnderTest.ts'

const moments = (['submit', 'poll', 'collect', 'put'] as const).flatMap((call) =>
  (['before', 'after'] as const).map((when) => ({ call, when })),
)
type Moment = (typeof moments)[number]

/** Our process dies between any two steps, and another takes the work over. */
export function provesDeaths(_underTest: VendorUnderTest, lab: () => Lab): void {
  test.each(moments)(
    'a death $when $call: the work goes on elsewhere, or is given up where nobody can know; never twice',
    async (moment) => {
      const mortal = aMortal(moment)
      const made = await vendorCase(lab(), { behaviour: { kind: 'well' }, between: mortal.provider })
      const dying = mortal.context(lab(), made.provider)
      const died = await runUntilDeath(made, dying, mortal.isDead)
      const taken = made.fake.accepted.length
      if (died) await made.run(died)
      const ended = await made.settle()
      const isUnknown = died?.task === 'submitGeneration' && !made.provider.capabilities.idempotentSubmit
      expect([ended.state, failureOf(ended)]).toEqual(isUnknown ? ['failed', 'internal_error/submit_unknown'] : ['ready', undefined])
      await expectSound(lab(), made, { charged: !isUnknown, accepted: isUnknown ? taken : 1 })
    },
  )
}

/** Gives the job in which the process died, if it came to that moment. */
async function runUntilDeath(
  made: Awaited<ReturnType<typeof vendorCase>>,
  context: JobContext,
  isDead: () => boolean,
): Promise<Job | undefined> {
  for (let job = await made.next(); job; job = await made.next()) {
    await made.run(job, context).catch((error: unknown) => {
      if (!isDead()) throw error
    })
    if (isDead()) return job
  }
  return undefined
}

/** A process that dies at that moment: from then on nothing that it does reaches the database, the vendor or the storage. */
function aMortal({ call, when }: Moment) {
  let dead = false
  const alive = () => {
    if (dead) throw new Error('this process is dead')
  }
  const around = async <Answer>(name: Moment['call'], ask: () => Promise<Answer>): Promise<Answer> => {
    alive()
    if (name === call && when === 'before') dead = true
    alive()
    const answer = await ask()
    if (name === call) dead = true
    alive()
    return answer
  }
  let isRevived = false
  const provider = (made: Provider): Provider => {
    const guarded = <Answer>(name: Moment['call'], ask: () => Promise<Answer>) => (isRevived ? ask() : around(name, ask))
    return {
      ...made,
      submit: (...asked) => guarded('submit', () => made.submit(...asked)),
      poll: (...asked) => guarded('poll', () => made.poll(...asked)),
      collect: (...asked) => guarded('collect', () => made.collect(...asked)),
    }
  }
  const storage = (own: Storage): Storage => ({
    ...own,
    put: (...asked) => around('put', () => own.put(...asked)),
    remove: (...asked) => around('put', () => own.remove(...asked)),
  })
  return {
    provider,
    isDead: () => (isRevived ||= dead),
    context: ({ app: { services } }: Lab, ofCase: Provider) =>
      aJobContext({ ...services, pool: mortalPool(services.pool, alive), storage: storage(services.storage) }, { providers: [ofCase] }),
  }
}

function mortalPool(pool: Pool, alive: () => void): Pool {
  return new Proxy(pool, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name === 'query' || name === 'connect') alive()
        return Reflect.apply(value, target, args)
      }
    },
  })
}
