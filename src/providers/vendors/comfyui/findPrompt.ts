import type { Json } from '../../../contract/json.ts'
import { isObject } from '../../connector/jsonPath.ts'
import type { VendorAnswer, VendorClient } from '../../connector/vendorClient.ts'

/** The entry of an ended prompt in ComfyUI's history. */
export type HistoryEntry = { [key: string]: Json }

/** Where a prompt is. `refused`: the server did not answer the question. */
export type PromptLocation =
  | { at: 'queue'; position: number }
  | { at: 'work' }
  | { at: 'end'; entry: HistoryEntry }
  | { at: 'nowhere' }
  | { at: 'refused'; answer: VendorAnswer }

/** The answer has every queued prompt with its whole workflow. */
const answerBytesMax = 64 * 1024 * 1024

/**
 * Finds a prompt. A prompt moves from the queue to running to the history, never back. If it is neither in the history nor in the queue,
 * it ended between the two requests or is unknown, so the history is read again.
 */
export async function findPrompt(ask: VendorClient, promptId: string, signal: AbortSignal): Promise<PromptLocation> {
  const before = await inHistory(ask, promptId, signal)
  if (before) return before
  const answer = await ask.json({ method: 'GET', path: '/queue', signal, answerBytesMax })
  if (answer.status !== 200) return { at: 'refused', answer }
  requireObject(answer)
  return inQueue(answer.body, promptId) ?? (await inHistory(ask, promptId, signal)) ?? { at: 'nowhere' }
}

async function inHistory(ask: VendorClient, promptId: string, signal: AbortSignal): Promise<PromptLocation | undefined> {
  const answer = await ask.json({ method: 'GET', path: `/history/${encodeURIComponent(promptId)}`, signal, answerBytesMax })
  if (answer.status !== 200) return { at: 'refused', answer }
  requireObject(answer)
  const entry = Object.hasOwn(answer.body, promptId) ? answer.body[promptId] : undefined
  return isObject(entry) ? { at: 'end', entry } : undefined
}

/** Another body is not from ComfyUI, and does not show where the prompt is. */
function requireObject(answer: VendorAnswer): asserts answer is VendorAnswer & { body: HistoryEntry } {
  const { body } = answer
  if (!isObject(body)) throw new Error('the response is not a JSON object of ComfyUI')
}

/** Entries are `[number, prompt id, …]`. The lowest number is next, in any order of the list. */
function inQueue(body: Json | undefined, promptId: string): PromptLocation | undefined {
  if (entriesAt(body, 'queue_running').some((entry) => entry[1] === promptId)) return { at: 'work' }
  const pending = entriesAt(body, 'queue_pending')
  const own = pending.find((entry) => entry[1] === promptId)
  return own && { at: 'queue', position: 1 + pending.filter((entry) => Number(entry[0]) < Number(own[0])).length }
}

function entriesAt(body: Json | undefined, name: string): Json[][] {
  const list = isObject(body) ? body[name] : undefined
  return Array.isArray(list) ? list.filter((entry) => Array.isArray(entry)) : []
}
