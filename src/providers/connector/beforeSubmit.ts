import { NotSent } from '../../network/trustedRequest.ts'

/**
 * Runs a step before a billable request, such as reading or uploading an input. Rethrows any error as {@link NotSent}: the vendor has
 * certainly not received the work, so the runner submits it again later.
 */
export async function beforeSubmit<Result>(prepare: () => Promise<Result>): Promise<Result> {
  try {
    return await prepare()
  } catch (error) {
    throw error instanceof NotSent ? error : new NotSent(error)
  }
}
