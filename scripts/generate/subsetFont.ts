import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Writes the font of the first paint: Inter for Latin script, with the weights and features that the admin UI uses, in half of the bytes.
 * Run it after an update of Inter: `npm install --no-save subset-font@2.9.0 && node scripts/generate/subsetFont.ts`. The package is no
 * dependency, because the font changes about once a year.
 */
const root = join(import.meta.dirname, '../..')
const inter = join(root, 'node_modules/@fontsource-variable/inter')

type SubsetFont = (
  font: Buffer,
  text: string,
  options: { targetFormat: 'woff2'; variationAxes: Record<string, { min: number; max: number }>; keepFeatures: string[] },
) => Promise<Buffer>

const packageName: string = 'subset-font'
const { default: subsetFont } = (await import(packageName)) as { default: SubsetFont }

const ranges = JSON.parse(await readFile(join(inter, 'unicode.json'), 'utf8')) as { latin: string }
const subset = await subsetFont(await readFile(join(inter, 'files/inter-latin-wght-normal.woff2')), charactersOf(ranges.latin), {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 700 } },
  // cv05, ss03: src/admin-ui/ui/global.css. tnum: digits of tables.
  keepFeatures: ['ccmp', 'cv05', 'kern', 'locl', 'mark', 'mkmk', 'ss03', 'tnum'],
})
await writeFile(join(root, 'src/admin-ui/ui/fonts/inter-latin.woff2'), subset)
process.stdout.write(`${subset.length} bytes\n`)

/** The characters of a CSS `unicode-range`, such as `U+0000-00FF,U+0131`. */
function charactersOf(range: string): string {
  return range
    .split(',')
    .flatMap((part) => {
      const [start = 0, end = start] = part
        .trim()
        .slice(2)
        .split('-')
        .map((digits) => Number.parseInt(digits, 16))
      return Array.from({ length: end - start + 1 }, (_, index) => String.fromCodePoint(start + index))
    })
    .join('')
}
