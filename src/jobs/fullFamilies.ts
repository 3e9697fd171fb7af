import type { SharedSlots } from '../concurrency/sharedSlots.ts'
import { familyFlag } from '../domain/generations/queueStep.ts'
import type { JobServices } from './jobContext.ts'

/**
 * Gives the flags of the families that hold their share of the slots of this process, whose jobs are passed over for now. It spares jobs
 * from being taken and handed back; what decides is the slot.
 */
export function fullFamilies({ services }: JobServices, slots: SharedSlots): () => string[] | null {
  const families = [...services.catalog.families.values()].map(({ id, variants }) => ({
    id,
    providerIds: [...new Set(variants.map((variant) => variant.provider.id))],
  }))
  return () => {
    const full = families.filter(({ id, providerIds }) => !providerIds.some((group) => slots.hasRoom({ group, member: id })))
    return full.length === 0 ? null : full.map(({ id }) => familyFlag(id))
  }
}
