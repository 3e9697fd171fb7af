import { z } from 'zod'
import type { CustomParams } from '../refusals/issues.ts'

/** One or more different values; `noun` names one of them in messages. */
export function setOf<Item extends z.ZodType>(item: Item, noun: string) {
  return z
    .array(item)
    .superRefine((items, context) => {
      const refuse = (issue: CustomParams['issue'], message: string) =>
        context.addIssue({ code: 'custom', message, params: { issue } satisfies CustomParams })
      if (items.length === 0) refuse('too_small', `Takes one or more ${noun}s.`)
      else if (new Set(items).size < items.length) refuse('conflict', `Takes each ${noun} once.`)
    })
    .readonly()
}
