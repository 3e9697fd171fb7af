import { z } from 'zod'

/**
 * What requests of the protocol carry that we answer ourselves. The package has schemas of its own, but answers what does not fit them as
 * if the fault were ours.
 */
export const requestParams = {
  page: z.object({ cursor: z.string().optional() }),
  resource: z.object({ uri: z.string() }),
  completion: z.object({
    ref: z.discriminatedUnion('type', [
      z.object({ type: z.literal('ref/resource'), uri: z.string() }),
      z.object({ type: z.literal('ref/prompt'), name: z.string() }),
    ]),
    argument: z.object({ name: z.string(), value: z.string() }),
  }),
}

export type CompletionParams = z.output<(typeof requestParams)['completion']>
