import { fieldsOfMedium, type MediaField, type Medium } from '../../contract/shapes/media.ts'
import { type Task, taskTable } from '../../contract/shapes/tasks.ts'
import type { Variant } from './family.ts'

/** Number of identifiers in each media field of a request; an absent field has none. */
export type MediaCounts = Readonly<Partial<Record<MediaField, number>>>

/**
 * Returns the task of a variant for a request: the first task from media that the request has, otherwise the first from the prompt alone,
 * otherwise the first.
 */
export function taskOf(variant: Pick<Variant, 'tasks'>, counts: MediaCounts): Task {
  const fromMedia = variant.tasks.find((task) => taskTable[task].sources.some((medium) => countOf(counts, medium) > 0))
  const fromPrompt = variant.tasks.find((task) => taskTable[task].sources.length === 0)
  return fromMedia ?? fromPrompt ?? (variant.tasks[0] as Task)
}

/** Number of inputs of one medium, over all of its fields. */
export function countOf(counts: MediaCounts, medium: Medium): number {
  return fieldsOfMedium[medium].reduce((sum, field) => sum + (counts[field] ?? 0), 0)
}
