import { Refusal } from '../../contract/refusals/refusals.ts'
import { WorkersUnavailable } from '../../media/workers/workersUnavailable.ts'

const retryAfterSeconds = 5

/** Awaits an answer of the inspector. Refusals: service_unavailable when it cannot take the file now. */
export async function callInspector<Answer>(inspection: Promise<Answer>): Promise<Answer> {
  try {
    return await inspection
  } catch (error) {
    throw error instanceof WorkersUnavailable ? new Refusal('service_unavailable', { retryAfterSeconds }, { cause: error }) : error
  }
}
