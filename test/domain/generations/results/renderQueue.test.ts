import { expect, test } from 'vitest'
import { makeRenderQueue, type RenderQueueFull } from '../../../../src/domain/generations/results/renderQueue.ts'

/** Calls that end one by one; `order` has the owners as they start. */
function watched(limits: Parameters<typeof makeRenderQueue>[0]) {
  const queue = makeRenderQueue(limits)
  const order: string[] = []
  const ends: (() => void)[] = []
  const run = (owner: string) =>
    queue.run(owner, async () => {
      order.push(owner)
      await new Promise<void>((resolve) => ends.push(resolve))
      return owner
    })
  return { run, order, endAll: () => ends.splice(0).forEach((end) => end()) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('owners take turns, and calls of one owner keep their order', async () => {
  const { run, order, endAll } = watched({ waitingMax: 9, waitingMaxPerOwner: 9 })
  const all = Promise.all(['busy', 'busy', 'busy', 'busy', 'other', 'third'].map(run))
  for (let count = 0; count < 6; count += 1) {
    await turn()
    endAll()
  }
  await all
  expect(order).toEqual(['busy', 'busy', 'other', 'third', 'busy', 'busy'])
})

test('calls beyond the share of an owner, or beyond the limit of all owners, are not started', async () => {
  const { run, endAll } = watched({ waitingMax: 3, waitingMaxPerOwner: 2 })
  const outcomes = Promise.all(
    ['busy', 'busy', 'busy', 'busy', 'other', 'third'].map((owner) => run(owner).catch(({ ofOwner }: RenderQueueFull) => ({ ofOwner }))),
  )
  for (let count = 0; count < 6; count += 1) {
    await turn()
    endAll()
  }
  expect(await outcomes).toEqual(['busy', 'busy', 'busy', { ofOwner: true }, 'other', { ofOwner: false }])
})

test('a call that fails ends its turn', async () => {
  const queue = makeRenderQueue({ waitingMax: 1, waitingMaxPerOwner: 1 })
  await expect(queue.run('one', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await queue.run('other', async () => 'rendered')).toBe('rendered')
})
