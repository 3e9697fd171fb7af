import { fieldsOfMedium, type MediaField, type Medium } from '../../contract/shapes/media.ts'
import { type Task, taskTable } from '../../contract/shapes/tasks.ts'
import type { Variant } from './family.ts'

/** How many identifiers a request holds in each media field; an absent field holds none. */
export type MediaCounts = Readonly<Partial<Record<MediaField, number>>>

/**
 * The task that a variant does for a request: its first that starts from media which the request has,
 * else its first that starts from the prompt alone, else its first.
 */
export function taskOf(variant: Pick<Variant, 'tasks'>, counts: MediaCounts): Task {
  const fromMedia = variant.tasks.find((task) => taskTable[task].sources.some((medium) => countOf(counts, medium) > 0))
  const fromPrompt = variant.tasks.find((task) => taskTable[task].sources.length === 0)
  return fromMedia ?? fromPrompt ?? (variant.tasks[0] as Task)
}

/** How many inputs of one medium a request has, in whichever field. */
export function countOf(counts: MediaCounts, medium: Medium): number {
  return fieldsOfMedium[medium].reduce((sum, field) => sum + (counts[field] ?? 0), 0)
}
