import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginWatch, pollHistory, type Watch } from '../../../../clients/typescript/src/cli/listen/watch.ts'
import { type Atelier, ConnectionFailedError, type Generation } from '../../../../clients/typescript/src/index.ts'

type Row = { id: string; end: number | undefined }

/** A history in memory that answers as the service does, and fails on request. */
function aHistory() {
  const rows: Row[] = []
  const broken = { requests: Number.POSITIVE_INFINITY }
  const asked = { requests: 0 }
  let moment = 0
  let meanwhile: { at: number; move: () => void } | undefined
  const shown = ({ id, end }: Row) =>
    ({
      generationId: id,
      state: end === undefined ? 'running' : 'failed',
      createdAt: new Date(0).toISOString(),
      finishedAt: end === undefined ? null : new Date(end).toISOString(),
    }) as Generation
  const answer = () => {
    asked.requests += 1
    if (asked.requests > (meanwhile?.at ?? asked.requests)) {
      meanwhile?.move()
      meanwhile = undefined
    }
    if (asked.requests > broken.requests) throw new ConnectionFailedError(undefined)
  }
  const listGenerations = async ({ status, limit = 50, cursor }: { status?: string; limit?: number; cursor?: string }) => {
    answer()
    const fitting = rows.filter(({ end, id }) => (status === undefined || end === undefined) && (cursor === undefined || id < cursor))
    const items = fitting.toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit)
    return { items: items.map(shown), nextCursor: fitting.length > limit ? items.at(-1)?.id : null }
  }
  const getGeneration = async (id: string) => {
    answer()
    return shown(rows.find((row) => row.id === id) as Row)
  }
  const idOf = (number: number) => `gen_${String(number).padStart(8, '0')}`
  return {
    rows,
    asked,
    client: { listGenerations, getGeneration } as unknown as Atelier,
    start: (count: number) => {
      for (let index = 0; index < count; index++) rows.push({ id: idOf(rows.length), end: undefined })
    },
    /** Ends every n-th active generation. */
    end: (every: number) => {
      const active = rows.filter(({ end }) => end === undefined).filter((_, index) => index % every === 0)
      for (const row of active) row.end = moment += 1
      return active.map(({ id }) => id)
    },
    /** Runs an action after this many more requests. */
    after: (requests: number, move: () => void) => void (meanwhile = { at: asked.requests + requests, move }),
    /** Runs the action now, if it has not run yet. */
    settle: () => {
      meanwhile?.move()
      meanwhile = undefined
    },
    breakAfter: (requests: number) => void (broken.requests = asked.requests + requests),
    mend: () => void (broken.requests = Number.POSITIVE_INFINITY),
  }
}

const signal = new AbortController().signal
const take = (watch: Watch) => watch.found.splice(0).map(({ generationId }) => generationId)

test('each end is found once, whatever starts, ends or fails between polls, and no earlier end is found', async () => {
  const step = fc.record({
    start: fc.integer({ min: 0, max: 130 }),
    end: fc.option(fc.integer({ min: 1, max: 5 })),
    more: fc.integer({ min: 0, max: 60 }),
    meanwhileAfter: fc.integer({ min: 1, max: 4 }),
    breakAfter: fc.option(fc.integer({ min: 0, max: 4 })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 3 }), fc.array(step, { maxLength: 12 }), async (before, during) => {
      const history = aHistory()
      const move = ({ start, end, more }: { start: number; end: number | null; more: number }) => {
        history.start(start)
        const ended = end === null ? [] : history.end(end)
        history.start(more)
        return ended
      }
      for (const each of before) move(each)
      const watch = await beginWatch({ client: history.client, signal }, undefined)
      const ended: string[] = []
      const found: string[] = []
      for (const each of during) {
        if (each.breakAfter === null) history.after(each.meanwhileAfter, () => ended.push(...move(each)))
        else ended.push(...move(each))
        if (each.breakAfter !== null) history.breakAfter(each.breakAfter)
        await pollHistory({ client: history.client, signal }, watch).catch(() => undefined)
        history.settle()
        history.mend()
        found.push(...take(watch))
      }
      await pollHistory({ client: history.client, signal }, watch)
      found.push(...take(watch))
      expect(found.toSorted()).toEqual(ended.toSorted())
    }),
    { numRuns: 60 },
  )
})

test('a poll without changes needs two requests, and ends on the newest page need no more', async () => {
  const history = aHistory()
  history.start(400)
  history.end(1)
  const watch = await beginWatch({ client: history.client, signal }, undefined)
  const before = history.asked.requests
  await pollHistory({ client: history.client, signal }, watch)
  history.start(10)
  history.end(1)
  await pollHistory({ client: history.client, signal }, watch)
  expect(history.asked.requests - before).toBe(4)
  expect(take(watch)).toHaveLength(10)
})

test('with a start time, ends since then are found, however old the generation is', async () => {
  const history = aHistory()
  history.start(120)
  history.end(2)
  const later = history.end(2)
  const watch = await beginWatch({ client: history.client, signal }, new Date(61))
  expect(take(watch).toSorted()).toEqual(later.toSorted())
})
