import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const styles = join(root, 'node_modules/@mantine/core')
const read = (path: string) => readFileSync(path, 'utf8')
const classesOf = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g))

test('the styles of exactly the used components are loaded, in the order of Mantine', () => {
  const scripts = globSync(join(root, 'dist/admin-ui/assets/*.js')).map(read)
  const used = classesOf(scripts.join('\n'))
  const all = read(join(styles, 'styles.css'))
  const needed = globSync(join(styles, 'styles/*.layer.css')).flatMap((path) => {
    const classes = [...classesOf(read(path))]
    const places = classes.map((name) => all.indexOf(`.${name}`)).filter((place) => place >= 0)
    return classes.some((name) => used.has(name)) ? [{ file: basename(path), place: Math.min(...places) }] : []
  })
  const components = needed.toSorted((left, right) => left.place - right.place).map(({ file }) => file)
  const everyPage = ['baseline.layer.css', 'default-css-variables.layer.css', 'global.layer.css']
  const loaded = [...read(join(root, 'src/admin-ui/ui/mantine.css')).matchAll(/@import "@mantine\/core\/styles\/([^"]+)"/g)]
  expect(components.length).toBeGreaterThan(30)
  expect(loaded.map(([, file]) => file)).toEqual([...everyPage, ...components])
})
