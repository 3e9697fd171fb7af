import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { generation as publicShape } from '../../../../src/contract/shapes/generation.ts'
import { checkBooks } from '../../../../src/domain/credits/checkBooks.ts'
import { cancelGeneration } from '../../../../src/domain/generations/ending/cancelGeneration.ts'
import { listGenerations } from '../../../../src/domain/generations/history/listGenerations.ts'
import { recordEditorGeneration } from '../../../../src/domain/generations/start/recordEditorGeneration.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { issueOf, refused } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const made = await aTeamWithKey(services)
const ready = {
  teamId: made.team.id,
  userId: made.user.id,
  familyId: 'text-family',
  outputType: 'text',
  prompt: ' Hi ',
  state: 'ready',
  text: ' Hello\n',
} as const

test('a ready text is in the history with its text unchanged and without a charge', async () => {
  const recorded = await recordEditorGeneration(aServiceContext(services), ready)
  const at = clock.now().toISOString()
  expect(publicShape.parse(recorded)).toMatchObject({
    state: 'ready',
    source: 'editor',
    outputType: 'text',
    prompt: ' Hi ',
    result: { type: 'text', text: ' Hello\n' },
    reusableAs: [],
    creditsHeld: 0,
    creditsCharged: 0,
    createdAt: at,
    finishedAt: at,
  })
  const { items } = await listGenerations(made.context, made.spender, { limit: 1 })
  expect(items).toEqual([recorded])
  expect(await checkBooks(made.context)).toEqual({ clean: true, faults: [] })
})

test.each(['image', 'video', 'audio', 'model3d'] as const)(
  'a ready %s has a result without a link and cannot be an input, since the editor stores its media',
  async (outputType) => {
    const recorded = await recordEditorGeneration(aServiceContext(services), { ...ready, outputType, text: undefined })
    expect(publicShape.parse(recorded)).toMatchObject({ state: 'ready', result: { type: outputType }, reusableAs: [] })
    expect(recorded['result']).toMatchObject({ url: null, mimeType: null, sizeBytes: null })
    const request = { familyId: 'sandbox-image', prompt: 'like this', imageIds: [String(recorded['generationId'])] }
    expect(await refused(startGeneration(made.context, made.spender, { request, idempotencyKey: undefined }))).toMatchObject({
      code: 'file_not_found',
    })
  },
)

test('a running one has no deadline, a failed one has its failure, and neither can be cancelled here', async () => {
  const context = aServiceContext(services)
  const running = await recordEditorGeneration(context, { ...ready, outputType: 'image', state: 'running', text: null })
  expect(publicShape.parse(running)).toMatchObject({
    state: 'running',
    creditsHeld: 0,
    creditsCharged: null,
    finishedAt: null,
    pollAfterSeconds: 1,
  })
  const failed = await recordEditorGeneration(context, { ...ready, outputType: 'image', state: 'failed', prompt: null, text: null })
  expect(publicShape.parse(failed)).toMatchObject({
    state: 'failed',
    prompt: null,
    creditsCharged: 0,
    error: { code: 'internal_error', reason: 'unclassified' },
  })
  for (const { generationId } of [running, failed] as { generationId: string }[]) {
    expect(await refused(cancelGeneration(made.context, made.spender, generationId))).toEqual({
      code: 'not_cancellable',
      details: { source: 'editor' },
    })
  }
})

test.each([
  [{ text: undefined }, 'text: required'],
  [{ outputType: 'image' }, 'text: conflict'],
  [{ state: 'running' }, 'text: conflict'],
  [{ text: 'a\0' }, 'text: bad_format'],
  [{ prompt: 'x'.repeat(20_001) }, 'prompt: too_long'],
  [{ familyId: '' }, 'familyId: too_small'],
  [{ familyId: 'x'.repeat(81) }, 'familyId: too_long'],
  [{ teamId: newId('team') }, 'teamId: not_allowed'],
  [{ userId: newId('user') }, 'userId: not_allowed'],
] as const)('%j is refused and records nothing', async (change, issue) => {
  const before = await listGenerations(made.context, made.spender, { limit: 50 })
  expect(await issueOf(recordEditorGeneration(aServiceContext(services), { ...ready, ...change }))).toBe(issue)
  expect(await listGenerations(made.context, made.spender, { limit: 50 })).toEqual(before)
})
