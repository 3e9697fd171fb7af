import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { Json } from '../../../src/contract/json.ts'
import type { PublicGeneration } from '../../../src/contract/shapes/generation.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import type { Lab } from './lab.ts'
import type { VendorCase } from './vendorCase.ts'

type Expected = { charged: boolean; accepted: number }

/** What holds of every case once it has ended, however it went. `accepted`: how much work the vendor may count on being paid for. */
export async function expectInvariants(lab: Lab, made: VendorCase, { charged, accepted }: Expected): Promise<void> {
  expect(await checkBooks(made.context)).toEqual({ clean: true, faults: [] })
  expect(await made.look()).toMatchObject({ creditsHeld: 0, creditsCharged: charged ? made.price : 0 })
  expect(made.fake.accepted, 'billable requests that the vendor took in').toHaveLength(accepted)
  await expectNoSecretsLogged(lab, made)
}

/** The failure as it is named in one word. */
export function failureOf({ error }: PublicGeneration): string | undefined {
  return error ? `${error.code}/${error.reason}` : undefined
}

/** The key is nowhere, and neither what the caller wrote nor an address that opens an output is in the log. */
async function expectNoSecretsLogged({ app, underTest }: Lab, { generationId, context, look }: VendorCase): Promise<void> {
  const logged = inspect(app.logged, { depth: null, maxStringLength: null, maxArrayLength: null })
  const { rows } = await context.pool.query<{ handle: Json; outputs: Json; generation: Json }>(
    `select a.handle, a.outputs, to_jsonb(g) as generation from generations g left join generation_attempts a on a.generation_id = g.id where g.id = $1`,
    [generationId],
  )
  expect(JSON.stringify([rows, await look()])).not.toContain(underTest.key)
  expect(logged).not.toContain(underTest.key)
  for (const { prompt } of Object.values(underTest.requests)) if (prompt) expect(logged).not.toContain(prompt)
  for (const address of addressesIn(rows[0]?.outputs ?? null)) expect(logged).not.toContain(address)
}

/** Every address in a piece of JSON. */
export function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:\/\//.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(addressesIn) : []
}
