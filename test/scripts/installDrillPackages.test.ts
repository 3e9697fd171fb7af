import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const repository = join(import.meta.dirname, '../..')

/** Replaces npm: appends its arguments and folder to the file `calls`, and fails while a file `broken` exists. */
const npm = `
const { appendFileSync, existsSync, mkdirSync } = require('node:fs')
appendFileSync(__dirname + '/calls', process.argv.slice(2, 3) + ' in ' + process.cwd().split(/[/\\\\]/).at(-1) + ';')
mkdirSync('node_modules', { recursive: true })
process.exit(existsSync(__dirname + '/broken') ? 1 : 0)
`

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-drill-packages-'))
  await mkdir(join(folder, 'test'))
  for (const name of ['installDrillPackages.ts', 'runNpm.ts']) await cp(join(repository, 'scripts', name), join(folder, 'scripts', name))
  await writeFile(join(folder, 'npm.cjs'), npm)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the packages are installed when they are missing, when the lock file changed, and after a failure', async () => {
  await writeFile(join(folder, 'test/package-lock.json'), 'one')
  await writeFile(join(folder, 'broken'), '')
  await expect(install()).rejects.toMatchObject({ code: 1 })
  await rm(join(folder, 'broken'))
  expect(await callsOf(install)).toBe('ci in test;')
  expect(await callsOf(install)).toBe('')
  await writeFile(join(folder, 'test/package-lock.json'), 'two')
  expect(await callsOf(install)).toBe('ci in test;')
})

async function install(): Promise<void> {
  const env = { ...process.env, npm_execpath: join(folder, 'npm.cjs') }
  await run(process.execPath, [join(folder, 'scripts/installDrillPackages.ts')], { env })
}

async function callsOf(work: () => Promise<void>): Promise<string> {
  await writeFile(join(folder, 'calls'), '')
  await work()
  return await readFile(join(folder, 'calls'), 'utf8')
}
