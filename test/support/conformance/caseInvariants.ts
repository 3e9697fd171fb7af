import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { Json } from '../../../src/contract/json.ts'
import type { PublicGeneration } from '../../../src/contract/shapes/generation.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import type { Lab } from './lab.ts'
import type { VendorCase } from './vendorCase.ts'

type Expected = { charged: boolean; accepted: number }

/** The invariants of every ended case. `accepted`: the work that the vendor may bill. */
export async function expectInvariants(lab: Lab, made: VendorCase, { charged, accepted }: Expected): Promise<void> {
  expect(await checkBooks(made.context)).toEqual({ clean: true, faults: [] })
  expect(await made.look()).toMatchObject({ creditsHeld: 0, creditsCharged: charged ? made.price : 0 })
  expect(made.fake.accepted, 'billable requests that the vendor took in').toHaveLength(accepted)
  await expectNoSecretsLogged(lab, made)
}

/** The failure as `class/reason`. */
export function failureOf({ error }: PublicGeneration): string | undefined {
  return error ? `${error.code}/${error.reason}` : undefined
}

/** The key appears nowhere, and the log contains neither user input nor working output URLs. */
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

/** Every URL in a JSON value. */
export function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:\/\//.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(addressesIn) : []
}
