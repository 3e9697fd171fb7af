import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { generation as publicShape } from '../../../../src/contract/shapes/generation.ts'
import { checkBooks } from '../../../../src/domain/credits/checkBooks.ts'
import { endEditorGeneration } from '../../../../src/domain/generations/ending/endEditorGeneration.ts'
import { recordEditorGeneration } from '../../../../src/domain/generations/start/recordEditorGeneration.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import { listDeliveries } from '../../../../src/domain/webhooks/deliveries/listDeliveries.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { issueOf, refused } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback })
afterAll(close)
const made = await aTeamWithKey(services)
const context = aServiceContext(services)

async function running(outputType: 'text' | 'image'): Promise<string> {
  const { team, user } = made
  const asked = { teamId: team.id, userId: user.id, familyId: 'writer', outputType, state: 'running' } as const
  return (await recordEditorGeneration(context, asked)).generationId
}

test('a running generation of the editor ends with its text, costs nothing and emits no event', async () => {
  const { subscription } = await aSubscription(services, made, 'http://127.0.0.1:9/')
  const id = await running('text')
  await clock.advance(5000)
  const ended = await endEditorGeneration(context, { id, state: 'ready', text: 'A haiku.' })
  expect(publicShape.parse(ended)).toMatchObject({
    state: 'ready',
    creditsCharged: 0,
    result: { type: 'text', text: 'A haiku.' },
    finishedAt: clock.now().toISOString(),
  })
  expect(await listDeliveries(context, { subscriptionIds: [subscription.id] }, { limit: 10, fromTheEnd: true })).toEqual([])
  expect(await checkBooks(context)).toEqual({ clean: true, faults: [] })
})

test('of two concurrent ends one counts; a repeat of it returns the generation, a different end is refused', async () => {
  const id = await running('image')
  const outcomes = await Promise.allSettled(
    (['ready', 'failed', 'ready', 'failed'] as const).map((state) => endEditorGeneration(context, { id, state })),
  )
  const returned = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(new Set(returned.map(({ state }) => state)).size).toBe(1)
  const [first] = returned
  const state = first?.state === 'ready' ? 'ready' : 'failed'
  expect(await endEditorGeneration(context, { id, state })).toEqual(first)
  expect(await issueOf(endEditorGeneration(context, { id, state: state === 'ready' ? 'failed' : 'ready' }))).toBe('state: conflict')
})

test('a text that does not match the end is refused, and the generation stays open', async () => {
  const id = await running('text')
  expect(await issueOf(endEditorGeneration(context, { id, state: 'ready' }))).toBe('text: required')
  expect(await issueOf(endEditorGeneration(context, { id, state: 'failed', text: 'x' }))).toBe('text: conflict')
  expect(await endEditorGeneration(context, { id, state: 'failed' })).toMatchObject({ state: 'failed', error: { code: 'internal_error' } })
})

test('unknown generations, and those not of the editor, are not found', async () => {
  const request = { familyId: 'sandbox-image', prompt: 'a boat' }
  const { generation } = await startGeneration(made.context, made.spender, { request, idempotencyKey: undefined })
  for (const id of [generation.generationId, newId('gen'), 'x']) {
    expect((await refused(endEditorGeneration(context, { id, state: 'ready' }))).code).toBe('generation_not_found')
  }
})
