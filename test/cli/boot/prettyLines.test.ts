import { expect, test } from 'vitest'
import { makeLogger } from '../../../src/cli/boot/logger.ts'
import { prettyLines } from '../../../src/cli/boot/prettyLines.ts'

function capture() {
  const lines: string[] = []
  return { lines, log: makeLogger({ level: 'debug', destination: prettyLines({ write: (line: string) => lines.push(line) }) }) }
}

test('an entry is one line with time, level, message and fields, without the process id', () => {
  const { log, lines } = capture()
  log.info({ migrations: 48, durationSeconds: 1.5, roles: ['http'], folder: '/srv/a b' }, 'database migrated')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(
    /^\d\d:\d\d:\d\d info {2}database migrated migrations=48 durationSeconds=1\.5 roles=\["http"\] folder="\/srv\/a b"\n$/,
  )
})

test('an error is its type, code, message and first frame', () => {
  const { log, lines } = capture()
  log.error({ error: Object.assign(new RangeError('no room'), { code: 'ENOSPC' }) }, 'a job failed')
  expect(lines.join('')).toMatch(/^\S+ error a job failed error="RangeError ENOSPC: no room at [^\n]+"\n$/)
})

test('fields are filtered as in JSON, and no text reaches the terminal as a control sequence or a new line', () => {
  const { log, lines } = capture()
  log.warn({ prompt: 'a secret fox', reason: 'red \u001b[31m\u009b31m\u2028\nready http://elsewhere' }, 'refused')
  expect(lines.join('')).toMatch(/^\S+ warn {2}refused prompt="\[hidden\]" reason="[^\n]+"\n$/)
  expect(lines.join('')).toContain(String.raw`red \u001b[31m\u009b31m\u2028\nready`)
})
