import { invalidRequest, Refusal } from '../../../contract/refusals/refusals.ts'
import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import type { Context } from '../../context.ts'
import { presentGeneration } from '../reading/presentGeneration.ts'
import { findGeneration } from '../reading/readGeneration.ts'
import { editorFailure, resultOfEditor } from '../start/recordEditorGeneration.ts'
import { type Ending, endGeneration } from './endGeneration.ts'

/**
 * Ends a running generation of the editor. Of two concurrent ends the first one counts; a repeat of the same end returns the generation.
 * Charges nothing and emits no event.
 * Refusals: generation_not_found, also for generations that the editor did not record; invalid_request when it has ended in another state.
 * Contract: docs/contract.md#generations-of-the-editor.
 */
export async function endEditorGeneration(
  context: Context,
  { id, state, text }: { id: string; state: 'ready' | 'failed'; text?: string | null | undefined },
): Promise<PublicGeneration> {
  const found = await findGeneration(context, id)
  if (found?.source !== 'editor' || found.accountId !== null) throw new Refusal('generation_not_found')
  const result = resultOfEditor({ outputType: found.outputType, state, text })
  const end: Ending = result ? { by: 'editor', to: 'ready', result } : { by: 'editor', to: 'failed', failure: editorFailure }
  const ended = (await endGeneration(context, id, end)) ?? (await findGeneration(context, id))
  if (ended?.state !== state) throw alreadyEnded()
  return presentGeneration(context, ended, { kind: 'service' })
}

function alreadyEnded(): Refusal {
  return invalidRequest({ in: 'body', path: ['state'], code: 'conflict', message: 'This generation has ended in another state.' })
}
