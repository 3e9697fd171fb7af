import { docUrlsAt } from '../../contract/docUrl.ts'
import { presentFailure } from '../../contract/failures/presentFailure.ts'
import { presentRefusal } from '../../contract/refusals/refusalBody.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import { callerFieldExamples } from '../../contract/shapes/callerFields.ts'
import type { PublicGeneration } from '../../contract/shapes/generation.ts'
import type { Example } from '../endpoint.ts'

const service = 'https://atelier.example'
const generationId = 'gen_01kabc5m1dexampleexample00'

const queued = {
  generationId,
  state: 'queued',
  familyId: 'sandbox-image',
  modelId: 'sandbox-image.text-to-image.standard',
  task: 'text-to-image',
  outputType: 'image',
  axes: { version: 'standard' },
  prompt: 'A lighthouse at dusk',
  parameters: { width: 768, height: 512, outputFormat: 'png' },
  inputs: { imageIds: [], videoIds: [], audioIds: [], model3dIds: [] },
  ...callerFieldExamples,
  source: 'rest',
  creditsHeld: 2,
  creditsCharged: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  startedAt: null,
  finishedAt: null,
  progress: null,
  queuePosition: null,
  pollAfterSeconds: 1,
} satisfies PublicGeneration

const { progress: _, queuePosition: __, pollAfterSeconds: ___, ...lasting } = queued
const ended = { ...lasting, creditsHeld: 0, startedAt: '2026-11-20T12:00:00.120Z', finishedAt: '2026-11-20T12:00:01.480Z' }

const ready: PublicGeneration = {
  ...ended,
  state: 'ready',
  creditsCharged: 2,
  result: {
    type: 'image',
    url: `${service}/r/vK3x0aB7Qd`,
    urlExpiresAt: '2026-11-22T12:00:02.000Z',
    mimeType: 'image/png',
    sizeBytes: 48_213,
    width: 768,
    height: 512,
    durationSeconds: null,
  },
  reusableAs: ['imageIds'],
}

const gone = { url: null, urlExpiresAt: null, mimeType: null, sizeBytes: null, width: null, height: null, durationSeconds: null }

const deleted: PublicGeneration = {
  ...ready,
  result: { type: 'image', ...gone, deletedAt: '2026-11-21T09:30:00.000Z' },
  reusableAs: [],
}

const failed: PublicGeneration = {
  ...ended,
  state: 'failed',
  creditsCharged: 0,
  error: presentFailure(
    { code: 'prompt_validation', reason: 'prompt_too_long', details: { maxLength: 2000, actualLength: 2345 } },
    docUrlsAt(service),
  ),
}

const cancelled: PublicGeneration = { ...ended, state: 'cancelled', creditsCharged: 2 }

/** A queued generation, and one for each end. */
export const generationExamples = {
  queued: { summary: 'Is queued', value: queued },
  ready: { summary: 'Has a result', value: ready },
  deleted: { summary: 'Its result was deleted', value: deleted },
  failed: { summary: 'Failed, and cost nothing', value: failed },
  cancelled: { summary: 'Cancelled after the work began', value: cancelled },
} satisfies Record<string, { summary: string; value: PublicGeneration }>

export const startExamples: Record<string, Example> = {
  started: { summary: 'Started now', value: { ...queued, replayed: false } },
  replayed: { summary: 'Started by an earlier request with this key', value: { ...queued, replayed: true } },
}

const refusal = new Refusal('insufficient_credits', { credits: 2, creditsAvailable: 1, creditsHeld: 4 }, { retryable: true })

export const batchExamples: Record<string, Example> = {
  partly: {
    summary: 'The first item is started, the second is refused',
    value: {
      items: [
        { status: 201, generation: { ...queued, replayed: false } },
        { status: refusal.http, ...presentRefusal(refusal, docUrlsAt(service)) },
      ],
    },
  },
}

export const historyExamples: Record<string, Example> = {
  page: { summary: 'The newest page, with a next page', value: { items: [ready], nextCursor: 'c1.Zm9sbG93IG1l' } },
}

export const cancelExamples: Record<string, Example> = {
  queued: {
    summary: 'Before the work began',
    value: { generationId, state: 'cancelled', cancelled: true, creditsCharged: 0, creditsReturned: 2 },
  },
  ended: {
    summary: 'After its end',
    value: { generationId, state: 'ready', cancelled: false, creditsCharged: 2, creditsReturned: 0 },
  },
}

export const estimateExamples: Record<string, Example> = {
  sufficient: {
    summary: 'It could start now',
    value: {
      familyId: 'sandbox-image',
      variant: { modelId: 'sandbox-image.text-to-image.standard', task: 'text-to-image', axes: { version: 'standard' } },
      credits: 2,
      creditsAvailable: 998,
      sufficient: true,
      breakdown: [{ unit: 'generation', quantity: 1, credits: 2 }],
      expectedRunSeconds: { typical: 1, slow: 10 },
      blockers: [],
    },
  },
}
