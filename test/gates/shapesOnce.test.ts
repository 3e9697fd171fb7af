import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The files of src and migrations that a new field of the caller changes, besides its migration: CONTRIBUTING.md lists them. */
const filesOfField = [
  'migrations/functions/purge_owned_row.sql',
  'migrations/functions/start_generations.sql',
  'src/contract/shapes/callerFields.ts',
  'src/contract/shapes/queries.ts',
  'src/domain/generations/history/historyFilter.ts',
  'src/entities/Generation.ts',
]

/** The usage by reference has a field of the same name, for the caller's own words of many generations. */
const usageFiles = ['src/contract/shapes/usage.ts', 'src/domain/credits/usageByLabel.ts', 'src/schema/credits/usage.ts']

/** Whether code, comments apart, has a member, column or assignment of that name. */
function namesField(text: string, name: string): boolean {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*(\/\/|--).*$/gm, '')
  return new RegExp(`(\\.|\\b)${name}(:|\\b text\\b| = )`).test(code)
}

test('the field `reference` of a generation is defined in few files: the others derive it', () => {
  const folders = ['src/contract', 'src/domain', 'src/entities', 'src/jobs', 'src/mcp', 'src/rest', 'src/schema', 'migrations/functions']
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|sql)$/.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  )
  const naming = paths.filter((path) => namesField(readFileSync(join(root, path), 'utf8'), 'reference'))
  expect(naming.filter((path) => !usageFiles.includes(path)).toSorted()).toEqual(filesOfField)
})

test.each([
  ['{ reference: null }', true],
  ['row.reference', false],
  ['row.reference = 1', true],
  ['set reference = null', true],
  ['/** A reference: a word. */ const preference = 1', false],
])('%s names the field: %s', (text, expected) => {
  expect(namesField(text, 'reference')).toBe(expected)
})

test('CONTRIBUTING.md lists these files', () => {
  const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  for (const path of filesOfField) expect(guide).toContain(`\`${path}\``)
})
