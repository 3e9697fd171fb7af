import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

test('.editorconfig has the indentation and line width of biome', () => {
  const { formatter } = JSON.parse(read('biome.json')) as { formatter: { indentStyle: string; indentWidth: number; lineWidth: number } }
  const [, everywhere = ''] = read('.editorconfig').split(/^\[.*\]$/m)
  const settings = Object.fromEntries([...everywhere.matchAll(/^(\w+) = (\w+)$/gm)].map(([, name, value]) => [name, value]))
  expect(settings).toMatchObject({
    indent_style: formatter.indentStyle,
    indent_size: String(formatter.indentWidth),
    max_line_length: String(formatter.lineWidth),
  })
})
