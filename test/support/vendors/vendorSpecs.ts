import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { connectorsOf } from '../../../src/cli/vendors.ts'
import type { VendorsConfig } from '../../../src/config/vendors.ts'
import type { Connectors } from '../../../src/domain/catalog/connectors.ts'
import { type Catalog, loadCatalog } from '../../../src/domain/catalog/loadCatalog.ts'
import type { Collected, JobSpec, ProviderInput } from '../../../src/providers/provider.ts'

const rates = { creditsPerUsd: 100, markup: 1 }

const noVendors: VendorsConfig = {
  openai: undefined,
  fal: undefined,
  replicate: undefined,
  comfyui: undefined,
  google: undefined,
  elevenlabs: undefined,
}

/** The families of one vendor as the service loads them, with its connector or as if its variables were not set. */
export function loadFamiliesOf(vendor: keyof VendorsConfig, { isSetUp = true }: { isSetUp?: boolean } = {}): Promise<Catalog> {
  const config = { ...noVendors, ...(isSetUp ? { [vendor]: { url: 'http://127.0.0.1:1', key: 'a-key-of-tests' } } : {}) }
  const connectors: Connectors = connectorsOf(config)
  return loadCatalog(new URL(`../../../catalog/${vendor}`, import.meta.url).pathname, { rates, connectors })
}

/** Work for a variant of the catalog, as the runner would describe it to the provider. */
export async function specFor(vendor: keyof VendorsConfig, modelId: string, given: Partial<JobSpec> = {}): Promise<JobSpec> {
  const catalog = await loadFamiliesOf(vendor)
  const families = [...catalog.families.values()]
  const family = families.find(({ variants }) => variants.some((variant) => variant.modelId === modelId))
  const variant = family?.variants.find((each) => each.modelId === modelId)
  if (!family || !variant) throw new Error(`no model ${modelId}`)
  return {
    generationId: 'gen_1',
    idempotencyKey: 'attempt-1',
    familyId: family.id,
    modelId,
    task: variant.tasks[0] ?? '',
    outputType: family.outputType,
    axes: variant.axes,
    prompt: 'a boat at dusk',
    parameters: {},
    inputs: [],
    limits: variant.inputs,
    settings: variant.provider.settings,
    ...given,
  }
}

/** An input that holds these bytes. */
export function inputOf(content: Buffer, given: Partial<ProviderInput> = {}): ProviderInput {
  return {
    field: 'imageIds',
    mimeType: 'image/png',
    sizeBytes: content.length,
    width: 64,
    height: 48,
    durationSeconds: null,
    open: async () => Readable.from([content]),
    link: () => 'http://127.0.0.1:1/link',
    ...given,
  }
}

/** All bytes of what was collected; throws when there are none to be had. */
export async function bytesOf(collected: Collected): Promise<Buffer> {
  if (collected.state === 'failed') throw new Error(`${collected.failure.code}/${collected.failure.reason}`)
  return buffer(collected.stream)
}
