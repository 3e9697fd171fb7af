import { z } from 'zod'
import { limits } from '../limits.ts'
import { moment } from './credits.ts'
import { estimate } from './estimate.ts'

/** An estimate that an agent may hold us to. Contract: docs/contract.md#quotes. */
export const quotedEstimate = estimate
  .extend({
    quoteId: z.string().meta({
      description: `Give it to start_generation with the same request: it starts once, for no more than this price, however often the call is repeated. Good for ${limits.quoteMinutes} minutes.`,
      examples: ['quote_01kabc5m1dexampleexample00'],
    }),
    quoteExpiresAt: moment,
  })
  .meta({ id: 'QuotedEstimate' })

export type QuotedEstimate = z.output<typeof quotedEstimate>
