import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Takes the screenshots of docs/integrations.md in both colour schemes, in the browser of the tests and with constant data. */
const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))

await mkdir(folder, { recursive: true })
console.log('creating a team with work, and opening its screens in a browser …')
const main = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))
const env = { ...process.env, DOCS_PICTURES: folder }
const vitest = spawn(process.execPath, [main, 'run', 'test/admin-ui/pictures.test.ts'], { env, stdio: 'inherit' })
const [code] = (await once(vitest, 'exit')) as [number | null]
process.exitCode = code ?? 1
if (code === 0) {
  for (const name of await readdir(folder))
    console.log(`docs/pictures/${name}: ${Math.round((await stat(join(folder, name))).size / 1024)} KiB`)
  console.log('check each picture before you commit it')
}
