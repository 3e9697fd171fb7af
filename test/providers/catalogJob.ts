import { join } from 'node:path'
import { checkParameters } from '../../src/domain/catalog/checkParameters.ts'
import { loadCatalog } from '../../src/domain/catalog/loadCatalog.ts'
import type { JobSpec } from '../../src/providers/provider.ts'
import { job } from './sandbox/sandboxJobs.ts'

const catalogs = join(import.meta.dirname, '..', '..', 'catalog')

/** A job for a variant of the shipped catalog, as the runner passes it: with settings, limits and defaults. */
export async function catalogJob(vendorId: string, modelId: string, parts: Partial<JobSpec> = {}): Promise<JobSpec> {
  const { families } = await loadCatalog(join(catalogs, vendorId))
  for (const family of families.values()) {
    const variant = family.variants.find((each) => each.modelId === modelId)
    if (!variant) continue
    return job({
      familyId: family.id,
      task: variant.tasks[0] ?? '',
      outputType: family.outputType,
      axes: { ...variant.axes },
      limits: variant.inputs,
      settings: variant.provider.settings,
      ...parts,
      parameters: checkParameters(family, variant, parts.parameters ?? {}),
    })
  }
  throw new Error(`${modelId} is in no family of ${vendorId}`)
}
