import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = readFileSync('docs/threats.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| could'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('each threat names its defence and an existing test, or states that there is none', () => {
  expect(rows.length).toBeGreaterThan(40)
  for (const [, threat, defence, shown = ''] of rows) {
    const paths = [...shown.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
    expect([threat, defence]).not.toContain('')
    expect({ threat, isShown: paths.length > 0 || shown === 'no test' }).toEqual({ threat, isShown: true })
    expect({ threat, missing: paths.filter((path) => !existsSync(path)) }).toEqual({ threat, missing: [] })
  }
})
