import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Work } from './work.ts'

/** The family of each kind of work; both cost one credit and take only a prompt. */
export const billingFamilies: Record<Work['kind'], string> = { synchronous: 'billed-synchronous', queued: 'billed-queued' }

const sandboxFolder = new URL('../../../catalog/sandbox', import.meta.url).pathname

type Options = {
  deadlineSeconds: number
  /** Limit of concurrent work per family at the vendor. */
  atOnce?: number
  /** Adds the families of the sandbox. */
  withSandbox?: boolean
}

/** Writes the families of the billing vendor into a folder for CATALOG_PATH. */
export async function writeBillingCatalog(folder: string, { withSandbox = false, ...options }: Options): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { synchronous, queued } = billingFamilies
  const openai = { id: 'openai', settings: { model: 'billing', prompt: 'prompt' } }
  const fal = { id: 'fal', settings: { model: 'billing/picture', prompt: 'prompt', output: 'images.*.url' } }
  for (const { id, provider } of [
    { id: synchronous, provider: openai },
    { id: queued, provider: fal },
  ]) {
    await writeFile(join(folder, `${id}.json`), JSON.stringify(familyOf(id, provider, options)))
  }
  if (withSandbox) await symlink(sandboxFolder, join(folder, 'sandbox'))
}

function familyOf(id: string, provider: object, { deadlineSeconds, atOnce }: Options) {
  return {
    id,
    name: id,
    vendor: 'Vendor',
    description: 'Pictures of a vendor that bills whatever it has made.',
    outputType: 'image',
    updatedAt: '2026-11-23T00:00:00.000Z',
    ...(atOnce === undefined ? {} : { load: { atOnce } }),
    parameters: { type: 'object', additionalProperties: false, properties: {} },
    variants: [
      {
        modelId: `${id}.plain`,
        label: 'Plain',
        tasks: ['text-to-image'],
        inputs: { prompt: { required: true, maxLength: null } },
        parameterNames: [],
        prices: [{ unit: 'generation', credits: 1 }],
        expectedRunSeconds: { typical: 1, slow: 10 },
        deadlineSeconds,
        provider,
      },
    ],
  }
}
