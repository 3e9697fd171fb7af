import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withErrorTables } from '../../scripts/generate/errorTables.ts'

const document = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')

test('the tables of errors are those of the service; npm run docs:tables brings them up to date', () => {
  expect(document).toBe(withErrorTables(document))
})

test('the tables are made anew wherever they stand, and nothing beside them is touched', () => {
  const spoilt = document.replace(/^\| `internal_error`.*\n/m, '').replace(/^\| `unknown_field`.*$/m, '| `gone` | x | y |')
  expect(withErrorTables(spoilt)).toBe(document)
  expect(() => withErrorTables(document.replace('### Every refusal', '### Refused'))).toThrow('Every refusal')
})
