import { z } from 'zod'
import { type FailureClass, failureTable } from './failures.ts'

const classes = Object.keys(failureTable) as [FailureClass, ...FailureClass[]]

/** The `error` of a failed generation. Contract: docs/contract.md#failure-object. */
export const generationFailure = z
  .object({
    code: z.enum(classes).meta({ id: 'FailureClass', description: 'The class: a closed list.' }),
    reason: z.string().meta({ description: 'The cause inside the class: an open list; handle an unknown one by `code`.' }),
    message: z.string(),
    retryable: z.boolean().meta({ description: 'Whether the same request may pass when repeated.' }),
    hint: z.string().meta({ description: 'What to do before the next attempt.' }),
    details: z
      .record(z.string(), z.number())
      .optional()
      .meta({ description: 'Numbers, where there are any, such as the prompt limit of the model.' }),
    docUrl: z.url().meta({ description: 'The page that explains this reason, and what to do about it.' }),
  })
  .meta({ id: 'GenerationFailure' })
