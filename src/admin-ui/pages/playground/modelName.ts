import { formatAxes } from '../history/generationLabels.ts'
import type { ListedFamily } from './playgroundQueries.ts'

/** `Sandbox Image · draft`. A family that is no longer in the catalog has its identifier. */
export function modelName({ familyId, axes }: { familyId: string; axes: unknown }, families: readonly ListedFamily[]): string {
  const name = families.find(({ id }) => id === familyId)?.name ?? familyId
  return [name, formatAxes(axes)].filter(Boolean).join(' · ')
}
