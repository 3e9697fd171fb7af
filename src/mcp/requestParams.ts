import { z } from 'zod'

/**
 * Schemas for the parameters of the MCP requests that the service handles itself. The MCP SDK has schemas too, but it reports parameters
 * that do not match them as internal errors.
 */
export const requestParams = {
  list: z.object({ cursor: z.string().optional() }),
  readResource: z.object({ uri: z.string() }),
  completion: z.object({
    ref: z.discriminatedUnion('type', [
      z.object({ type: z.literal('ref/resource'), uri: z.string() }),
      z.object({ type: z.literal('ref/prompt'), name: z.string() }),
    ]),
    argument: z.object({ name: z.string(), value: z.string() }),
  }),
}

export type CompletionParams = z.output<(typeof requestParams)['completion']>
