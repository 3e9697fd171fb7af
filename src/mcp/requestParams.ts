import { z } from 'zod'

/**
 * The parameters of the protocol requests with our own handlers. The package also has schemas, but reports invalid parameters as internal
 * errors.
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
