import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import type { Services } from '../../../../src/domain/context.ts'
import { openThumbnail } from '../../../../src/domain/generations/links/openThumbnail.ts'
import { getGeneration } from '../../../../src/domain/generations/reading/getGeneration.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import type { Inspector } from '../../../../src/media/inspector.ts'
import { aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { generationTransitions } from '../../../support/generations/generationTransitions.ts'
import { refused } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const moves = generationTransitions(services)

let shade = 0
/** The token of a link to a unique image of the team. */
async function aLink(team: TeamWithKey): Promise<string> {
  shade += 1
  const image = sharp({ create: { width: 40, height: 20, channels: 3, background: { r: shade, g: 9, b: 0 } } })
  const request = { familyId: 'sandbox-image', prompt: 'x' }
  const { generation } = await startGeneration(team.context, team.spender, { request })
  const id = generation.generationId
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, await image.png().toBuffer())
  const { result } = await getGeneration(team.context, { ownerId: team.team.id, keyId: team.key.id }, id)
  const url = String(result && 'url' in result ? result.url : '')
  return url.split('/r/')[1] ?? ''
}

/** An inspector whose previews wait, in order, for `release`. */
function hanging(): { held: Services; release(count?: number): void } {
  const waiting: (() => void)[] = []
  let released = 0
  const next = () => {
    for (; released > 0 && waiting.length > 0; released -= 1) waiting.shift()?.()
  }
  const inspector: Inspector = {
    ...services.inspector,
    preview: async (...given) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        next()
      })
      return await services.inspector.preview(...given)
    },
  }
  const release = (count = Number.POSITIVE_INFINITY) => {
    released += count
    next()
  }
  return { held: { ...services, inspector }, release }
}

test('a wait ends with 429 after its limit, and the rendering goes on for the next request', async () => {
  const token = await aLink(await aTeamWithKey(services))
  const { held, release } = hanging()
  const refusal = await refused(openThumbnail(held, token, { waitMs: 1 }))
  expect(refusal).toMatchObject({ code: 'too_many_concurrent', details: { limit: 64, retryAfterSeconds: 2 } })
  release()
  expect((await openThumbnail(held, token)).jpeg.subarray(0, 2).toString('hex')).toBe('ffd8')
})

const codeOf = ({ code }: { code: string }) => code

test('a team whose thumbnails fill its part of the queue gets 429, and another team gets the next turn', async () => {
  const [busy, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  const { held, release } = hanging()
  const tokens: string[] = []
  for (let count = 0; count < 66; count += 1) tokens.push(await aLink(busy))
  const token = await aLink(other)
  const asked = tokens.map((each) => openThumbnail(held, each, { waitMs: 60_000 }).then(() => 'rendered', codeOf))
  expect(await Promise.race(asked)).toBe('too_many_concurrent')
  // The rendering is in the queue when the wait of its first request ends.
  await refused(openThumbnail(held, token, { waitMs: 1 }))
  release(3)
  expect((await openThumbnail(held, token, { waitMs: 60_000 })).jpeg.length).toBeGreaterThan(0)
  release()
  expect((await Promise.all(asked)).filter((each) => each === 'too_many_concurrent')).toHaveLength(1)
})
