import { z } from 'zod'
import { limits } from '../limits.ts'
import { wholeNumber } from './wholeNumber.ts'

/** The `cursor` of a list. */
export const cursor = z.string().optional().meta({ description: 'The `nextCursor` of the previous page, with the same filter.' })

/** The page size of a list. Contract: docs/contract.md#lists. */
export const limit = wholeNumber({ min: 1, max: limits.historyPageItems, over: 'refuse' })
  .optional()
  .meta({ description: `The page size; default ${limits.historyPageItems}.` })
