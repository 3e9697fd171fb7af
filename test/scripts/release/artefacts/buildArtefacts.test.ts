import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildAdminUi } from '../../../../scripts/release/adminUi.ts'
import { buildArtefacts } from '../../../../scripts/release/artefacts/buildArtefacts.ts'
import { memoryFolder } from '../../../support/processes/memoryFolder.ts'
import { aKeptDocsArchive } from '../../../support/release/docsOfReleases.ts'

const root = join(import.meta.dirname, '../../../..')
const { version } = createRequire(import.meta.url)('../../../../package.json') as { version: string }
const hasSetuptools = spawnSync('python3', ['-c', 'import setuptools']).status === 0

test.skipIf(!hasSetuptools)('two builds of the same sources give the same bytes', { timeout: 600_000 }, async () => {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-artefacts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await buildAdminUi()
  const earlier = join(folder, 'earlier')
  await aKeptDocsArchive(earlier, { version: '0.9.0', pages: ['api'] })
  const release = { root, version, epochSeconds: 1_700_000_000, earlier }
  const build = (name: string) => buildArtefacts({ ...release, to: join(folder, name) })
  expect(await build('first')).toEqual(await build('second'))
  const names = (await readdir(join(folder, 'first'))).toSorted()
  expect(names).toEqual([
    'SHA256SUMS',
    `atelier-${version}.cdx.json`,
    `atelier-${version}.tar.gz`,
    `atelier-chart-${version}.tgz`,
    expect.stringMatching(/^atelier[-_]client-[\d.]+\.tar\.gz$/),
    expect.stringMatching(/^atelier-client-[\d.]+\.tgz$/),
    `atelier-docs-${version}.tar.gz`,
    `atelier-docs-site-${version}.tar.gz`,
    'release-notes.md',
  ])
  for (const name of names) {
    const [first, second] = await Promise.all(['first', 'second'].map((each) => readFile(join(folder, each, name))))
    expect([name, first?.equals(second as Buffer)]).toEqual([name, true])
  }
  const site = execFileSync('tar', [
    '-xzOf',
    join(folder, `first/atelier-docs-site-${version}.tar.gz`),
    `atelier-docs-site-${version}/versions.json`,
  ])
  expect(JSON.parse(site.toString()).map((each: { version: string }) => each.version)).toEqual([version, '0.9.0'])
})
