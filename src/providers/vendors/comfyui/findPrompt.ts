import type { Json } from '../../../contract/json.ts'
import { isObject } from '../../connector/jsonPath.ts'
import type { VendorAnswer, VendorClient } from '../../connector/vendorClient.ts'

/** What ComfyUI remembers of a prompt that has ended. */
export type HistoryEntry = { [key: string]: Json }

/** Where a prompt is. `refused`: the server would not say. */
export type PromptLocation =
  | { at: 'queue'; position: number }
  | { at: 'work' }
  | { at: 'end'; entry: HistoryEntry }
  | { at: 'nowhere' }
  | { at: 'refused'; answer: VendorAnswer }

/** Every queued prompt stands in the answer with its whole workflow. */
const answerBytesMax = 64 * 1024 * 1024

/**
 * Looks for a prompt. It moves from the queue into work and from there into the history, never back: one that is not in the queue after it
 * was not in the history has ended in between or is unknown, so the history is asked again.
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

/** Anything else was not said by ComfyUI, and says nothing of where the prompt is. */
function requireObject(answer: VendorAnswer): asserts answer is VendorAnswer & { body: HistoryEntry } {
  const { body } = answer
  if (!isObject(body)) throw new Error('ComfyUI answers with something that is no JSON object')
}

/** Entries are `[number, prompt id, …]`; the lowest number is next, wherever it stands in the list. */
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
