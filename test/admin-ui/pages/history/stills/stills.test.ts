import { expect, test } from 'vitest'
import { type DrawStill, requestStill } from '../../../../../src/admin-ui/pages/history/stills/stills.ts'

const turns = () => new Promise((resolve) => setTimeout(resolve, 1))
const silent = { onDrawn: () => undefined, onFailed: () => undefined }

test('rows that leave the window while they are decoded leave no more than two decodings under way', async () => {
  const ended: (() => void)[] = []
  const draw: DrawStill = () => new Promise((_resolve, reject) => ended.push(() => reject(new Error('ended'))))
  for (let row = 0; row < 30; row += 1) {
    const withdraw = requestStill({ ...silent, id: `row ${row}`, draw })
    await turns()
    withdraw()
    await turns()
  }
  expect(ended).toHaveLength(2)
  for (const end of ended) end()
  const drawn = new Promise((onDrawn) => void requestStill({ ...silent, id: 'next', draw: async () => 'data:,', onDrawn }))
  expect(await drawn).toBe('data:,')
})
