import { afterAll, expect, test } from 'vitest'
import { Refusal } from '../../../src/contract/refusals/refusals.ts'
import { stepJob } from '../../../src/jobs/steps/stepJob.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
afterAll(own.close)

test('outages and locks of the database at the end of a step do not count as crashes', async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  const [{ id: generationId }] = (await own.services.pool.query<{ id: string }>('select id from generations')).rows as [{ id: string }]
  const refused = () => Promise.reject(new Refusal('service_unavailable'))
  const steps = { submitGeneration: refused, pollGeneration: refused, finaliseGeneration: refused }
  const finalise = stepJob('finaliseGeneration', steps)
  for (let times = 0; times < 8; times++) {
    await expect(finalise(run.context, { generationId })).rejects.toThrow(Refusal)
  }
  await run.run('finaliseGeneration')
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150 })
})
