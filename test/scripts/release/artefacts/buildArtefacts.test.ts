import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildAdminUi } from '../../../../scripts/release/adminUi.ts'
import { buildArtefacts } from '../../../../scripts/release/artefacts/buildArtefacts.ts'
import { memoryFolder } from '../../../support/processes/memoryFolder.ts'
import { aKeptDocsArchive } from '../../../support/release/docsOfReleases.ts'

const root = join(import.meta.dirname, '../../../..')
const hasSetuptools = spawnSync('python3', ['-c', 'import setuptools']).status === 0

test.skipIf(!hasSetuptools)('two builds of the same sources give the same bytes', { timeout: 600_000 }, async () => {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-artefacts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await buildAdminUi()
  const earlier = join(folder, 'earlier')
  await aKeptDocsArchive(earlier, { version: '1.0.0', pages: ['api'] })
  const release = { root, version: '1.2.3', epochSeconds: 1_700_000_000, earlier }
  const build = (name: string) => buildArtefacts({ ...release, to: join(folder, name) })
  expect(await build('first')).toEqual(await build('second'))
  const names = (await readdir(join(folder, 'first'))).toSorted()
  expect(names).toEqual([
    'SHA256SUMS',
    'atelier-1.2.3.cdx.json',
    'atelier-1.2.3.tar.gz',
    'atelier-chart-1.2.3.tgz',
    expect.stringMatching(/^atelier[-_]client-[\d.]+\.tar\.gz$/),
    expect.stringMatching(/^atelier-client-[\d.]+\.tgz$/),
    'atelier-docs-1.2.3.tar.gz',
    'atelier-docs-site-1.2.3.tar.gz',
    'release-notes.md',
  ])
  for (const name of names) {
    const [first, second] = await Promise.all(['first', 'second'].map((each) => readFile(join(folder, each, name))))
    expect([name, first?.equals(second as Buffer)]).toEqual([name, true])
  }
  const site = execFileSync('tar', ['-xzOf', join(folder, 'first/atelier-docs-site-1.2.3.tar.gz'), 'atelier-docs-site-1.2.3/versions.json'])
  expect(JSON.parse(site.toString()).map(({ version }: { version: string }) => version)).toEqual(['1.2.3', '1.0.0'])
})
