import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../docs/decisions')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const names = readdirSync(folder).filter((name) => name !== 'README.md')

test('the index lists each decision once, by its number and title', () => {
  const listed = [...read('README.md').matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(([, title, name]) => [name, `# ${title}`])
  expect(listed.toSorted((left, right) => String(left).localeCompare(String(right)))).toEqual(
    names.toSorted((left, right) => String(left).localeCompare(String(right))).map((name) => [name, read(name).split('\n', 1)[0]]),
  )
})

test.each(names)('%s has a number of its own, a status with its date, and all parts', (name) => {
  const number = name.slice(0, 4)
  expect(names.filter((other) => other.startsWith(number))).toEqual([name])
  expect(read(name)).toMatch(new RegExp(String.raw`^# ${number}: .+\n\nStatus: (accepted|replaced by \d{4}), \d{4}-\d{2}-\d{2}`))
  const parts = [...read(name).matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  expect(parts).toEqual(expect.arrayContaining(['Context', 'Decision', 'Consequences', 'Alternatives tried']))
})
