import { NotSent } from '../../network/trustedRequest.ts'

/**
 * Does what comes before a billable request, such as reading an input or uploading it. Whatever goes wrong there, the vendor has certainly
 * not been asked for the work: so it is thrown as {@link NotSent}, and the work is handed over again later.
 */
export async function beforeSubmit<Result>(prepare: () => Promise<Result>): Promise<Result> {
  try {
    return await prepare()
  } catch (error) {
    throw error instanceof NotSent ? error : new NotSent(error)
  }
}
