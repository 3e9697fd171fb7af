import { getPath, getTextAtPath } from '../../connector/jsonPath.ts'
import type { VendorAnswer, VendorClient } from '../../connector/vendorClient.ts'
import { findPrompt } from './findPrompt.ts'

/** From here on `POST /interrupt` heeds the prompt id; older builds stop whatever runs. The change came in the summer of 2025. */
const interruptsById = [0, 3, 60] as const

type Cancelled = 'cancelled' | 'too_late' | 'unsupported'

/**
 * Takes one prompt out of the queue or stops it, and never another's. New builds have a request that does both at once, which old ones do
 * not know; these are asked to forget it while it waits, and to interrupt it by its id where they heed that. Work that cannot be stopped
 * without a danger to others goes on.
 */
export async function cancelPrompt(ask: VendorClient, promptId: string, signal: AbortSignal): Promise<Cancelled> {
  const answer = await ask.json({ method: 'POST', path: `/api/jobs/${encodeURIComponent(promptId)}/cancel`, json: {}, signal })
  if (answer.status === 200) return getPath(answer.body, 'cancelled')[0] === true ? 'cancelled' : 'too_late'
  if (answer.status !== 404 && answer.status !== 405) throw unexpectedStatus(answer)
  return cancelOnOldBuild(ask, promptId, signal)
}

async function cancelOnOldBuild(ask: VendorClient, promptId: string, signal: AbortSignal): Promise<Cancelled> {
  const waited = (await findPrompt(ask, promptId, signal)).at === 'queue'
  requireSuccess(await ask.json({ method: 'POST', path: '/queue', json: { delete: [promptId] }, signal }))
  const found = await findPrompt(ask, promptId, signal)
  if (found.at === 'refused') throw unexpectedStatus(found.answer)
  if (found.at === 'nowhere' && waited) return 'cancelled'
  if (found.at !== 'work') return 'too_late'
  if (!(await supportsInterruptById(ask, signal))) return 'unsupported'
  requireSuccess(await ask.json({ method: 'POST', path: '/interrupt', json: { prompt_id: promptId }, signal }))
  return 'cancelled'
}

async function supportsInterruptById(ask: VendorClient, signal: AbortSignal): Promise<boolean> {
  const { body } = await ask.json({ method: 'GET', path: '/system_stats', signal })
  return isVersionAtLeast(getTextAtPath(body, 'system.comfyui_version'), interruptsById)
}

/** A version that says nothing is an old one. */
function isVersionAtLeast(version: string | undefined, least: readonly number[]): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number)
  if (!parts) return false
  const different = least.findIndex((part, index) => part !== parts[index])
  return different === -1 || (parts[different] ?? 0) > (least[different] ?? 0)
}

function requireSuccess(answer: VendorAnswer): void {
  if (answer.status < 200 || answer.status > 299) throw unexpectedStatus(answer)
}

function unexpectedStatus({ status }: VendorAnswer): Error {
  return new Error(`ComfyUI answers a cancel with ${status}`)
}
