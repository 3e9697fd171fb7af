import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Family } from '../../../src/domain/catalog/family.ts'
import { loadCatalog } from '../../../src/domain/catalog/loadCatalog.ts'
import type { Collected, JobSpec, ProviderInput } from '../../../src/providers/provider.ts'
import { loopback } from '../webhooks/webhooks.ts'

/** Address rules for vendors' answers in tests: the fakes are on this machine. */
export const outputRules = { allowedPrivate: loopback.allowedPrivateAddresses ?? [], own: { listeners: [], names: [] } }

/** The families of a vendor in our catalog, by id. */
export async function familiesOf(vendorId: string): Promise<ReadonlyMap<string, Family>> {
  return (await loadCatalog(new URL(`../../../catalog/${vendorId}`, import.meta.url).pathname)).families
}

/** The runner's description of work for a variant. */
export function jobFor(family: Family | undefined, { modelId: wanted, ...parts }: Partial<JobSpec> & { modelId?: string } = {}): JobSpec {
  const variant = family?.variants.find(({ modelId }) => wanted === undefined || modelId === wanted)
  if (!family || !variant) throw new Error(`no such variant: ${wanted}`)
  return {
    idempotencyKey: 'attempt-1',
    familyId: family.id,
    task: variant.tasks[0] ?? '',
    outputType: family.outputType,
    axes: variant.axes,
    prompt: variant.inputs.prompt.maxLength === 0 ? null : 'a quiet harbour',
    parameters: {},
    inputs: [],
    limits: variant.inputs,
    settings: variant.provider.settings,
    ...parts,
  }
}

/** The same, for the family that has the variant. */
export async function jobOf(vendorId: string, modelId: string, parts: Partial<JobSpec> = {}): Promise<JobSpec> {
  const families = [...(await familiesOf(vendorId)).values()]
  const family = families.find(({ variants }) => variants.some((variant) => variant.modelId === modelId))
  return jobFor(family, { modelId, ...parts })
}

/** An input from the runner; `link` is our link to it. */
export function anInput(bytes: Buffer, parts: Partial<ProviderInput> = {}): ProviderInput {
  return {
    field: 'imageIds',
    mimeType: 'image/png',
    sizeBytes: bytes.length,
    width: 64,
    height: 48,
    durationSeconds: null,
    open: async () => Readable.from([bytes]),
    link: () => 'http://127.0.0.1:1/r/token',
    ...parts,
  }
}

/** All collected bytes; throws when there are none. */
export async function bytesOf(collected: Collected): Promise<Buffer> {
  if (collected.state === 'failed') throw new Error(`${collected.failure.code}/${collected.failure.reason}`)
  return buffer(collected.stream)
}
