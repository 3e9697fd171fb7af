import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8')

/** The incidents that an operator meets with whatever runs the service. */
const incidents = [
  'AtelierDiskFilling',
  'PostgreSQL failed over',
  'AtelierConnectionsScarce',
  'AtelierCertificateEnding',
  'AtelierClockSkewed',
  'Expired credentials of the storage',
  'A key of a customer leaked',
  'SECRET_KEY leaked',
  'One customer floods the service',
  'Stop all intake',
  'Roll back a release',
  "A vendor's queue is too long",
]

function sectionOf(heading: string): string {
  return runbook.split(/^#{2,3} /m).find((section) => section.startsWith(`${heading}\n`)) ?? ''
}

/** The cells of the rows of the table with the three forms, without the first column. */
function formsIn(section: string): string[][] {
  const [, table = ''] = /^\| to \| systemd \| compose \| Kubernetes \|\n\|---\|---\|---\|---\|\n((?:\|.*\n)+)/m.exec(section) ?? []
  return table
    .split('\n')
    .filter(Boolean)
    .map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .map((cells) => cells.slice(2, -1))
}

test.each(incidents)('the runbook has the commands for %s with systemd, compose and Kubernetes', (heading) => {
  const rows = formsIn(sectionOf(heading))
  expect(rows.length).toBeGreaterThan(0)
  for (const cells of rows) {
    expect(cells).toHaveLength(3)
    expect(cells.filter((cell) => cell === '')).toEqual([])
  }
  const [systemd, compose, kubernetes] = [0, 1, 2].map((column) => rows.map((cells) => cells[column]).join('\n'))
  expect(systemd).toMatch(/systemctl|journalctl/)
  expect(compose).toMatch(/`(?:C|docker) /)
  expect(kubernetes).toMatch(/`(?:K|helm) |; K /)
})
