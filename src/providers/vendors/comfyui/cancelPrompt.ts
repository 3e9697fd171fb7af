import { getPath, getTextAtPath } from '../../connector/jsonPath.ts'
import type { VendorAnswer, VendorClient } from '../../connector/vendorClient.ts'
import { findPrompt } from './findPrompt.ts'

/** From this version on `POST /interrupt` uses the prompt id. Older builds interrupt any running prompt. Changed in summer 2025. */
const interruptsById = [0, 3, 60] as const

type Cancelled = 'cancelled' | 'too_late' | 'unsupported'

/**
 * Removes one prompt from the queue or interrupts it, never another one. New builds have one request for both. Old builds delete a
 * waiting prompt from the queue, and interrupt a running one by id if they support that. Work that cannot be interrupted safely
 * continues.
 */
export async function cancelPrompt(ask: VendorClient, promptId: string, signal: AbortSignal): Promise<Cancelled> {
  const answer = await ask.json({ method: 'POST', path: `/api/jobs/${encodeURIComponent(promptId)}/cancel`, json: {}, signal })
  if (answer.status === 200) return getPath(answer.body, 'cancelled')[0] === true ? 'cancelled' : 'too_late'
  if (answer.status !== 404 && answer.status !== 405) throw unexpectedStatus(answer)
  return cancelOnOldBuild(ask, promptId, signal)
}

async function cancelOnOldBuild(ask: VendorClient, promptId: string, signal: AbortSignal): Promise<Cancelled> {
  const wasQueued = (await findPrompt(ask, promptId, signal)).at === 'queue'
  requireSuccess(await ask.json({ method: 'POST', path: '/queue', json: { delete: [promptId] }, signal }))
  const found = await findPrompt(ask, promptId, signal)
  if (found.at === 'refused') throw unexpectedStatus(found.answer)
  if (found.at === 'nowhere' && wasQueued) return 'cancelled'
  if (found.at !== 'work') return 'too_late'
  if (!(await supportsInterruptById(ask, signal))) return 'unsupported'
  requireSuccess(await ask.json({ method: 'POST', path: '/interrupt', json: { prompt_id: promptId }, signal }))
  return 'cancelled'
}

async function supportsInterruptById(ask: VendorClient, signal: AbortSignal): Promise<boolean> {
  const { body } = await ask.json({ method: 'GET', path: '/system_stats', signal })
  return isVersionAtLeast(getTextAtPath(body, 'system.comfyui_version'), interruptsById)
}

/** An unreadable version counts as old. */
function isVersionAtLeast(version: string | undefined, minimum: readonly number[]): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number)
  if (!parts) return false
  const different = minimum.findIndex((part, index) => part !== parts[index])
  return different === -1 || (parts[different] ?? 0) > (minimum[different] ?? 0)
}

function requireSuccess(answer: VendorAnswer): void {
  if (answer.status < 200 || answer.status > 299) throw unexpectedStatus(answer)
}

function unexpectedStatus({ status }: VendorAnswer): Error {
  return new Error(`ComfyUI responded to a cancel with ${status}`)
}
