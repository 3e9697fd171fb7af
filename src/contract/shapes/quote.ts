import { z } from 'zod'
import { limits } from '../limits.ts'
import { moment } from './credits.ts'
import { estimate } from './estimate.ts'

/** An estimate with a price that is guaranteed for one start. Contract: docs/contract.md#quotes. */
export const quotedEstimate = estimate
  .extend({
    quoteId: z.string().meta({
      description: `Pass it to start_generation with the same request. The request starts once, for at most this price, even when the call is repeated. Valid for ${limits.quoteMinutes} minutes.`,
      examples: ['quote_01kabc5m1dexampleexample00'],
    }),
    quoteExpiresAt: moment,
  })
  .meta({ id: 'QuotedEstimate' })

export type QuotedEstimate = z.output<typeof quotedEstimate>
