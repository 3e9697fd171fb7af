import { z } from 'zod'
import { type FailureClass, failureTable } from './failures.ts'

const classes = Object.keys(failureTable) as [FailureClass, ...FailureClass[]]

/** The `error` of a failed generation. Contract: docs/contract.md#failure-object. */
export const generationFailure = z
  .object({
    code: z.enum(classes).meta({ id: 'FailureClass', description: 'The class, from a closed list.' }),
    reason: z.string().meta({ description: 'The cause within the class, from an open list. Handle an unknown reason by `code`.' }),
    message: z.string(),
    retryable: z.boolean().meta({ description: 'Whether the same request may succeed when it is repeated.' }),
    hint: z.string().meta({ description: 'What to do before the next attempt.' }),
    details: z.record(z.string(), z.number()).optional().meta({ description: 'Numbers, such as the prompt limit of the model.' }),
    docUrl: z.url().meta({ description: 'The page that explains this reason and its remedy.' }),
  })
  .meta({ id: 'GenerationFailure' })
