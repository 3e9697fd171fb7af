import { Refusal } from '../../contract/refusals/refusals.ts'
import { WorkersUnavailable } from '../../media/workers/workersUnavailable.ts'

const retryAfterSeconds = 5

/** What the inspector answers. Refusals: service_unavailable when it cannot take the file now. */
export async function callInspector<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    throw error instanceof WorkersUnavailable ? new Refusal('service_unavailable', { retryAfterSeconds }, { cause: error }) : error
  }
}
