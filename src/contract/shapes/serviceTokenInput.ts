import { z } from 'zod'
import { limits } from '../limits.ts'
import { name } from './text.ts'

/** What a new service token gets. Contract: docs/contract.md#service-tokens. */
export const newServiceToken = z.object({
  name,
  readOnly: z.boolean().default(false).meta({ description: 'The token may run queries, and no mutation.' }),
  teamIds: z.array(z.string()).min(1).max(limits.serviceTokenTeamsMax).nullish().meta({
    description: 'The only teams that the token may act on. Null or absent: everything.',
  }),
})

export type NewServiceToken = z.output<typeof newServiceToken>
