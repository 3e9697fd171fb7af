import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withRows as withAttackRows } from '../support/abuse/abuseTable.ts'
import { attacks } from '../support/abuse/attacks.ts'
import { withRows as withFaultRows } from '../support/chaos/chaosTable.ts'
import { faults } from '../support/chaos/faults.ts'
import { withHostRows } from '../support/hosts/hostsTable.ts'

const root = join(import.meta.dirname, '../..')
const document = readFileSync(join(root, 'docs/drills.md'), 'utf8')

/** Read from the source: the module waits for seconds, so only drills may import it. */
const hostFaultNames = [...readFileSync(join(root, 'test/support/hosts/hostFaults.ts'), 'utf8').matchAll(/\bname: '([a-z0-9-]+)'/g)].map(
  ([, name = '']) => name,
)

test.each([
  ['test:chaos', withFaultRows(document, new Map(), faults)],
  ['test:hosts', withHostRows(document, new Map(), hostFaultNames)],
  ['test:abuse', withAttackRows(document, new Map(), attacks)],
])('docs/drills.md has the table of %s, with its columns, and only rows of the drill in its order', (_drill, rewritten) => {
  expect(rewritten).toBe(document)
})
