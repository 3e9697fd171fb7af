import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Family } from '../../../src/domain/catalog/family.ts'
import { loadCatalog } from '../../../src/domain/catalog/loadCatalog.ts'
import type { Collected, JobSpec, ProviderInput } from '../../../src/providers/provider.ts'
import { loopback } from '../webhooks/webhooks.ts'

/** What a vendor's answers may lead to in tests: their fakes are on this machine. */
export const outputRules = { allowedPrivate: loopback.allowedPrivateAddresses ?? [], own: { listeners: [], names: [] } }

/** The families of our catalog that a vendor runs, by their id. */
export async function familiesOf(vendorId: string): Promise<ReadonlyMap<string, Family>> {
  return (await loadCatalog(new URL(`../../../catalog/${vendorId}`, import.meta.url).pathname)).families
}

/** Work for a variant of a family, as the runner describes it. */
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

/** The same, of whichever family has the variant. */
export async function jobOf(vendorId: string, modelId: string, parts: Partial<JobSpec> = {}): Promise<JobSpec> {
  const families = [...(await familiesOf(vendorId)).values()]
  const family = families.find(({ variants }) => variants.some((variant) => variant.modelId === modelId))
  return jobFor(family, { modelId, ...parts })
}

/** An input as the runner hands it over; `link` is where our own service would give it away. */
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

/** All bytes of what was collected; throws when there are none to be had. */
export async function bytesOf(collected: Collected): Promise<Buffer> {
  if (collected.state === 'failed') throw new Error(`${collected.failure.code}/${collected.failure.reason}`)
  return buffer(collected.stream)
}
