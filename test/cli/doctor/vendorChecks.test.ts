import { expect, test } from 'vitest'
import { vendorChecks } from '../../../src/cli/doctor/vendorChecks.ts'
import type { VendorsConfig } from '../../../src/config/vendors.ts'
import { noProgress } from '../../../src/database/progress.ts'
import { NotSent } from '../../../src/network/trustedRequest.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { vendorProvider } from '../../support/vendor/vendorProvider.ts'

const clock = { now: () => new Date() }
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const key = 'sk-very-secret'
const own = { url: 'http://127.0.0.1:9', key }
function provider(id: string, health: NonNullable<Provider['health']>): Provider {
  return { ...vendorProvider(own.url, { id, idempotentSubmit: true }), health }
}

async function runChecks(config: VendorsConfig, providers: Provider[]): Promise<string[]> {
  const checks = vendorChecks({ clock, log }, { get: (id) => providers.find((each) => each.id === id) }, config)
  return Promise.all(
    checks.map(async ({ name, run }) => `${name}: ${await run(noProgress).catch((error: Error) => `FAULT ${error.message}`)}`),
  )
}

test('each vendor has a line: not set up with the variable, healthy, key rejected, or unreachable; no line contains the key', async () => {
  const config = { openai: own, fal: own, replicate: own, google: own }
  const lines = await runChecks(config, [
    provider('openai', async () => ({ ok: false, message: `rejects OPENAI_API_KEY` })),
    provider('fal', async () => ({ ok: true })),
    provider('replicate', async () => Promise.reject(new NotSent(new Error('connect ECONNREFUSED 127.0.0.1:9')))),
    provider('google', async () => Promise.reject(new Error(`bad answer to key=${key}`))),
  ])
  expect(lines).toEqual([
    'vendor openai: FAULT rejects OPENAI_API_KEY',
    'vendor fal: well',
    'vendor replicate: FAULT cannot be reached (not sent: connect ECONNREFUSED 127.0.0.1:9)',
    'vendor comfyui: not set up: COMFYUI_URL is not set',
    'vendor google: FAULT does not answer as it should (bad answer to key=…)',
    'vendor elevenlabs: not set up: ELEVENLABS_API_KEY is not set',
  ])
})

test('a vendor that answers after more than ten seconds is a fault', async () => {
  let at = 0
  const config = { fal: own }
  const answersAfter = async (seconds: number) => {
    const slow = provider('fal', async () => {
      at += seconds * 1_000
      return { ok: true }
    })
    const checks = vendorChecks({ clock: { now: () => new Date(at) }, log }, { get: () => slow }, config)
    return checks.find(({ name }) => name === 'vendor fal')?.run(noProgress)
  }
  expect(await answersAfter(9)).toBe('well')
  await expect(answersAfter(12)).rejects.toThrow('well, but took 12 s to answer')
})

test('vendors are checked at the same time, so that a hanging one delays no other', async () => {
  const asked: string[] = []
  const all = Promise.withResolvers<{ ok: boolean }>()
  const wait = (id: string) => async () => {
    asked.push(id)
    if (asked.length === 2) all.resolve({ ok: true })
    return all.promise
  }
  await runChecks({ openai: own, fal: own }, [provider('openai', wait('openai')), provider('fal', wait('fal'))])
  expect(asked).toEqual(['openai', 'fal'])
})
