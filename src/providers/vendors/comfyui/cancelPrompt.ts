import { findAt, textAt } from '../../places.ts'
import type { AskVendor, VendorAnswer } from '../../vendorRequest.ts'
import { findPrompt } from './findPrompt.ts'

/** From here on `POST /interrupt` heeds the prompt id; older builds stop whatever runs. The change came in the summer of 2025. */
const interruptsById = [0, 3, 60] as const

type Cancelled = 'cancelled' | 'too_late' | 'unsupported'

/**
 * Takes one prompt out of the queue or stops it, and never another's. New builds have a request that does both at once, which old ones do
 * not know; these are asked to forget it while it waits, and to interrupt it by its id where they heed that. Work that cannot be stopped
 * without a danger to others goes on.
 */
export async function cancelPrompt(ask: AskVendor, promptId: string, signal: AbortSignal): Promise<Cancelled> {
  const answer = await ask.json({ method: 'POST', path: `/api/jobs/${encodeURIComponent(promptId)}/cancel`, json: {}, signal })
  if (answer.status === 200) return findAt(answer.body, 'cancelled')[0] === true ? 'cancelled' : 'too_late'
  if (answer.status !== 404 && answer.status !== 405) throw unanswered(answer)
  return cancelInParts(ask, promptId, signal)
}

async function cancelInParts(ask: AskVendor, promptId: string, signal: AbortSignal): Promise<Cancelled> {
  const waited = (await findPrompt(ask, promptId, signal)).at === 'queue'
  mustBeTaken(await ask.json({ method: 'POST', path: '/queue', json: { delete: [promptId] }, signal }))
  const found = await findPrompt(ask, promptId, signal)
  if (found.at === 'refused') throw unanswered(found.answer)
  if (found.at === 'nowhere' && waited) return 'cancelled'
  if (found.at !== 'work') return 'too_late'
  if (!(await mayInterrupt(ask, signal))) return 'unsupported'
  mustBeTaken(await ask.json({ method: 'POST', path: '/interrupt', json: { prompt_id: promptId }, signal }))
  return 'cancelled'
}

async function mayInterrupt(ask: AskVendor, signal: AbortSignal): Promise<boolean> {
  const { body } = await ask.json({ method: 'GET', path: '/system_stats', signal })
  return isFrom(textAt(body, 'system.comfyui_version'), interruptsById)
}

/** A version that says nothing is an old one. */
function isFrom(version: string | undefined, least: readonly number[]): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number)
  if (!parts) return false
  const different = least.findIndex((part, index) => part !== parts[index])
  return different === -1 || (parts[different] ?? 0) > (least[different] ?? 0)
}

function mustBeTaken(answer: VendorAnswer): void {
  if (answer.status < 200 || answer.status > 299) throw unanswered(answer)
}

function unanswered({ status }: VendorAnswer): Error {
  return new Error(`ComfyUI answers a cancel with ${status}`)
}
