import { Refusal } from '../../contract/refusals.ts'
import { notReadySeconds } from './findInputs.ts'

/** Why a file, or what a generation has made, is not deleted now. */
export function neededByWork(id: string): Refusal {
  const details = { fileIds: [id], retryAfterSeconds: notReadySeconds }
  return new Refusal('file_not_ready', details, { message: 'Work that has not ended needs it as an input. Repeat when it has.' })
}
