import { expect, onTestFinished, test, vi } from 'vitest'
import { progressReporter, showStep } from '../../src/cli/progress.ts'

/** A step on an output, with a clock that the test moves. */
function aStep(isTTY: boolean, options: { unit: string; total: number | undefined }) {
  let nowMs = 1_000
  const written: string[] = []
  const show = progressReporter({ output: { write: (text) => written.push(text), isTTY }, nowMs: () => nowMs })
  const step = show({ label: 'rows', ...options })
  const after = (ms: number, count: number) => {
    nowMs += ms
    step.add(count)
  }
  return { written, after, end: step.end }
}

test('on a terminal one line shows rate and time left, is redrawn at most four times a second, and is cleared at the end', () => {
  const { written, after, end } = aStep(true, { unit: 'rows', total: 4_000_000 })
  after(100, 1)
  expect(written).toEqual([])
  after(9_900, 999_999)
  after(10, 1)
  expect(written).toEqual(['\rrows: 1,000,000 rows of 4,000,000 rows (25 %), 100,000 rows/s, 30 s left\u001b[K'])
  end()
  expect(written.at(-1)).toBe('\r\u001b[K')
})

test('elsewhere a line is written every ten seconds, and a short command writes none', () => {
  const { written, after, end } = aStep(false, { unit: 'bytes', total: 36_000_000_000 })
  after(9_999, 5_000_000)
  expect(written).toEqual([])
  after(1, 5_000_000)
  after(5_000, 1)
  end()
  expect(written).toEqual(['rows: 10.0 MB of 36.0 GB (0 %), 1.0 MB/s, 10 h 0 min left\n'])
})

test('a total that is unknown or too low leaves out share and time left', () => {
  for (const total of [undefined, 0, 10]) {
    const { written, after } = aStep(false, { unit: 'objects', total })
    after(10_000, 20)
    expect(written).toEqual(['rows: 20 objects, 2 objects/s\n'])
  }
})

/** A long step on an output, under the clock of the test. */
function aLongStep(isTTY: boolean) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const written: string[] = []
  const step = showStep('checking books', { output: { write: (text) => written.push(text), isTTY } })
  return { written, step, after: (ms: number) => void vi.advanceTimersByTime(ms) }
}

test('a long step shows every second on a terminal how long it has run, then the rate and time left of its present part', () => {
  const { written, step, after } = aLongStep(true)
  after(2_000)
  expect(written).toEqual(['\rchecking books: 1 s so far\u001b[K', '\rchecking books: 2 s so far\u001b[K'])
  const part = step.showProgress({ label: '', unit: 'rows', total: 9_000 })
  after(2_000)
  part.add(3_000)
  after(1_000)
  expect(written.slice(2)).toEqual([
    '\rchecking books: 3 s so far\u001b[K',
    '\rchecking books: 4 s so far\u001b[K',
    '\rchecking books: 3,000 rows of 9,000 rows (33 %), 1,000 rows/s, 6 s left\u001b[K',
  ])
  part.end()
  step.showProgress({ label: 'sorting', unit: 'rows', total: 0 })
  after(1_000)
  expect(written.at(-1)).toBe('\rchecking books, sorting: 6 s so far\u001b[K')
  step.end()
  expect(written.at(-1)).toBe('\r\u001b[K')
})

test('elsewhere a long step writes a line every ten seconds, and a short one none', () => {
  const { written, step, after } = aLongStep(false)
  after(9_999)
  expect(written).toEqual([])
  after(1)
  step.end()
  after(60_000)
  expect(written).toEqual(['checking books: 10 s so far\n'])
})
