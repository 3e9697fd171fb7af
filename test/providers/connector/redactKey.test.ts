import { expect, test } from 'vitest'
import { NotSent } from '../../../src/network/trustedRequest.ts'
import { redactKey } from '../../../src/providers/connector/redactKey.ts'
import type { JobSpec, Provider } from '../../../src/providers/provider.ts'
import { aProviderContext } from '../../support/generations/providerContext.ts'

const key = 'sk-4711'
const spec = {} as JobSpec

function speaking(parts: Partial<Provider>): Provider {
  const silent = async () => expect.unreachable()
  return redactKey(
    {
      id: 'x',
      capabilities: { cancel: 'never', idempotentSubmit: false },
      submit: silent,
      poll: silent,
      collect: silent,
      cancel: silent,
      ...parts,
    },
    key,
  )
}

test('a key that a vendor repeats is removed from logs, errors and health messages', async () => {
  const { context, warnings } = aProviderContext()
  const provider = speaking({
    async submit(_spec, { log }) {
      log.warn({ said: [{ words: `wrong ${key}` }] }, `it says ${key}`)
      throw new NotSent(new Error(`with ${key}`))
    },
    health: async () => ({ ok: false, message: `rejects ${key}` }),
  })
  const failure = await provider.submit(spec, context).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(NotSent)
  expect([String(failure), String((failure as Error).cause)]).toEqual(['NotSent: not sent: with [key]', 'Error: with [key]'])
  expect(warnings).toEqual([{ fields: { said: [{ words: 'wrong [key]' }] }, message: 'it says [key]' }])
  expect(await provider.health?.(context)).toEqual({ ok: false, message: 'rejects [key]' })
})

test('redaction changes nothing else of a provider', async () => {
  const { context, kept } = aProviderContext()
  const output = await speaking({
    collect: async (_output, _spec, { keep }) => ({ state: 'bytes', ...(await keep(Buffer.of(1), 'a/b')) }) as never,
  }).collect({ data: null }, spec, context)
  expect([output, kept.length]).toMatchObject([{ kept: true }, 1])
  expect(speaking({}).health).toBeUndefined()
})
