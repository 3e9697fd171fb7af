import { join } from 'node:path'
import type { Refusal } from '../../../src/contract/refusals/refusals.ts'
import type { Family } from '../../../src/domain/catalog/family.ts'
import { loadCatalog } from '../../../src/domain/catalog/loadCatalog.ts'
import type { RequestShape } from '../../../src/domain/catalog/resolveVariant.ts'

const { families } = await loadCatalog(join(import.meta.dirname, '../../../catalog/sandbox'))

/** A family of the sandbox's catalog. */
export function sandboxFamily(id: string): Family {
  const family = families.get(id)
  if (!family) throw new Error(`no family ${id}`)
  return family
}

/** A request with only a prompt. */
export function shape(changes: Partial<RequestShape> = {}): RequestShape {
  return { hasPrompt: true, media: {}, ...changes }
}

/** The refusal's details, with only the identifiers of available variants. */
export function detailsOf(refusal: Refusal): unknown {
  const { available, ...rest } = refusal.details as { available: { modelId: string }[] }
  return { ...rest, available: available.map(({ modelId }) => modelId) }
}
