import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { manifestFaults } from '../../scripts/generate/clientManifests.ts'

const root = join(import.meta.dirname, '../..')
const typescript = 'clients/typescript/package.json'
const python = 'clients/python/pyproject.toml'
const files = [
  ...['package.json', typescript, 'clients/typescript/CHANGELOG.md', python],
  ...['clients/python/CHANGELOG.md', 'clients/python/atelier_client/_version.py'],
]

/** The faults after one file was changed. */
async function faultsAfter(path: string, before: string, after: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-manifests-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const file of files) await cp(join(root, file), join(folder, file))
  const text = await readFile(join(root, path), 'utf8')
  expect(text).toContain(before)
  await writeFile(join(folder, path), text.replace(before, after))
  return manifestFaults(folder)
}

test('the manifests of both clients have the version, the licence and a changelog of the service', () => {
  expect(manifestFaults(root)).toEqual([])
})

test.each([
  [typescript, '"version": "', '"version": "9', 'the version is 9'],
  ['clients/python/atelier_client/_version.py', 'VERSION = "', 'VERSION = "9', 'the version is 9'],
  [typescript, '"name": "@atelier/client"', '"name": "atelier-client"', 'the name has no scope'],
  [typescript, '"license": "Apache-2.0"', '"license": "MIT"', 'the licence is MIT'],
  [python, 'Homepage', 'Home', 'there is no homepage'],
  [python, 'Repository = "https://', 'Repository = "https://another.', 'different repositories'],
  [python, 'keywords = [', 'words = [', 'there are no keywords'],
  ['clients/python/CHANGELOG.md', '\n## ', '\n### ', 'clients/python/CHANGELOG.md: has no section'],
])('a changed %s is found: %s', async (path, before, after, fault) => {
  expect(await faultsAfter(path, before, after)).toEqual([expect.stringContaining(fault)])
})
