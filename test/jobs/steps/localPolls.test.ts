import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeLocalPolls } from '../../../src/jobs/steps/localPolls.ts'

const never = new AbortController().signal
const slow = { group: 'vendor', member: 'slow' }
const other = { group: 'other', member: 'quick' }

/** Takes all slots of a holder, and returns their release functions. */
async function takeAll(polls: ReturnType<typeof makeLocalPolls>, holder: typeof slow): Promise<(() => void)[]> {
  const taken: (() => void)[] = []
  for (;;) {
    const release = await polls.takeSlot(holder, never)
    if (!release) return taken
    taken.push(release)
  }
}

test('who waits longest gets the next slot, also before those who come later', async () => {
  const polls = makeLocalPolls({ max: 9, concurrency: 4, slotWaitMs: 10_000 })
  const [release] = [await polls.takeSlot(slow, never)]
  const order: string[] = []
  const first = polls.takeSlot(slow, never).then((next) => {
    order.push('first')
    return next
  })
  const second = polls.takeSlot(slow, never).then(() => order.push('second'))

  release?.()
  const late = polls.takeSlot(slow, never).then(() => order.push('late'))
  ;(await first)?.()
  await second

  expect(order).toEqual(['first', 'second'])
  void late
})

test('who waits longest gets the next slot, whichever family it is of', async () => {
  const polls = makeLocalPolls({ max: 9, concurrency: 10, slotWaitMs: 10_000 })
  const served = new Map(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((family) => [family, 0]))
  const most = () => Math.max(...served.values())
  const work = async (family: string) => {
    while (most() < 40) {
      const release = await polls.takeSlot({ group: 'vendor', member: family }, never)
      served.set(family, (served.get(family) ?? 0) + 1)
      await setImmediate()
      release?.()
    }
  }

  await Promise.all([...served.keys()].flatMap((family) => Array.from({ length: 5 }, () => work(family))))

  expect(Math.min(...served.values())).toBeGreaterThan(30)
})

test('a holder that waits does not make other holders wait, and a full one leaves slots to them', async () => {
  const polls = makeLocalPolls({ max: 9, concurrency: 40, slotWaitMs: 20 })

  expect(await takeAll(polls, slow)).toHaveLength(10)
  expect(await polls.takeSlot(other, never)).toBeDefined()
})

test('a wait that ends by an abort or in time takes no slot later', async () => {
  const polls = makeLocalPolls({ max: 9, concurrency: 1, slotWaitMs: 20 })
  const release = await polls.takeSlot(slow, never)
  const leaving = new AbortController()
  const aborted = polls.takeSlot(slow, leaving.signal)
  leaving.abort()

  expect(await aborted).toBeUndefined()
  expect(await polls.takeSlot(slow, never)).toBeUndefined()
  expect(await polls.takeSlot(slow, leaving.signal)).toBeUndefined()

  release?.()
  expect(await polls.takeSlot(slow, never)).toBeDefined()
})
