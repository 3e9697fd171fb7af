import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { type AdmissionBatcher, makeAdmissionBatcher } from '../../../../src/domain/access/admission/admissionBatcher.ts'
import { findGeneration } from '../../../../src/domain/generations/reading/readGeneration.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import { bindSql } from '../../../../src/domain/sql.ts'
import { makeApiKey } from '../../../../src/secrets/apiKeyText.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)

const address = '192.0.2.1'

function aBatcher(): AdmissionBatcher {
  const onError = (error: unknown) => expect.fail(String(error))
  const batcher = makeAdmissionBatcher({ sql: bindSql(services.pool), processId: newId('proc'), clock, limits: services.settings, onError })
  onTestFinished(() => batcher.close())
  return batcher
}

test('the admission statement reads the requested generation only for its owner', async () => {
  const [own, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  const { generation } = await startGeneration(own.context, own.spender, {
    request: { familyId: 'sandbox-image', prompt: 'a lighthouse' },
    idempotencyKey: undefined,
  })
  const id = generation.generationId
  const batcher = aBatcher()
  const asked: [key: string | undefined, about: string | undefined][] = [
    [own.value, id],
    [other.value, id],
    [undefined, id],
    [makeApiKey().value, id],
    [own.value, newId('gen')],
    [own.value, 'gen_\0'],
    [own.value, undefined],
  ]
  const admitted = await Promise.all(asked.map(([key, about]) => batcher.admit(key, address, about)))
  expect(admitted.map((each) => each.generation)).toEqual([await findGeneration(own.context, id), ...Array(6).fill(undefined)])
  expect(admitted.map(({ key }) => key?.keyId)).toEqual([
    own.key.id,
    other.key.id,
    undefined,
    undefined,
    own.key.id,
    own.key.id,
    own.key.id,
  ])
})

test('a read of a generation is one statement, and concurrent reads share one', async () => {
  const { value } = await aTeamWithKey(services)
  const batcher = aBatcher()
  await batcher.admit(value, address, newId('gen'))
  const query = vi.spyOn(services.pool, 'query')
  onTestFinished(() => query.mockRestore())
  await Promise.all([1, 2, 3].map(() => batcher.admit(value, address, newId('gen'))))
  expect(query).toHaveBeenCalledTimes(1)
})
