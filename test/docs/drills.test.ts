import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withRows as withAttackRows } from '../support/abuse/abuseTable.ts'
import { attacks } from '../support/abuse/attacks.ts'
import { withRows as withFaultRows } from '../support/chaos/chaosTable.ts'
import { faults } from '../support/chaos/faults.ts'
import { hostFaults } from '../support/hosts/hostFaults.ts'
import { withHostRows } from '../support/hosts/hostsTable.ts'

const document = readFileSync(join(import.meta.dirname, '../../docs/drills.md'), 'utf8')

test.each([
  ['test:chaos', withFaultRows(document, new Map(), faults)],
  [
    'test:hosts',
    withHostRows(
      document,
      new Map(),
      hostFaults.map(({ name }) => name),
    ),
  ],
  ['test:abuse', withAttackRows(document, new Map(), attacks)],
])('docs/drills.md has the table of %s, with its columns, and only rows of the drill in its order', (_drill, rewritten) => {
  expect(rewritten).toBe(document)
})
