import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const repository = join(import.meta.dirname, '../..')

type Manifest = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>> & {
  allowScripts: Record<string, boolean>
  scripts: Record<string, string>
}
type Locked = {
  version: string
  integrity?: string
  resolved?: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  engines?: { node?: string }
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  hasInstallScript?: boolean
}

const manifest = JSON.parse(read('package.json')) as Manifest
const locked = (JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }).packages
const production = { ...manifest.dependencies, ...manifest.optionalDependencies }

test('every package is pinned to one version', () => {
  const ranges = Object.entries({ ...production, ...manifest.devDependencies }).filter(
    ([, version]) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  )
  expect(ranges).toEqual([])
})

test('the lock holds all that production installs to its content', () => {
  // Of the tools of development some binaries for other platforms stand there by version alone: the registry that was asked had them not.
  const loose = Object.entries(locked).filter(
    ([folder, { integrity = '', dev, optional }]) => folder !== '' && !(dev && optional) && !integrity.startsWith('sha512-'),
  )
  expect(loose.map(([folder]) => folder)).toEqual([])
})

test('the lock names no registry, so that each machine asks its own', () => {
  expect(Object.values(locked).filter(({ resolved }) => resolved !== undefined)).toEqual([])
})

test('a fresh clone installs: the lock knows the binaries of every platform, not only of the one that wrote it', () => {
  const missing = Object.entries(locked).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !foldersAbove(folder).some((above) => `${above}node_modules/${name}` in locked)),
  )
  expect(missing).toEqual([])
})

test('`npm ci --omit=dev` leaves out each tool of development that no package of production depends on', () => {
  const kept = Object.keys(manifest.devDependencies).filter((name) => !locked[`node_modules/${name}`]?.dev)
  expect(kept).toEqual(['@types/node', '@types/pg', 'ajv-formats', 'yaml'])
  // Such as vitest, which better-auth would go with: npm keeps what is both a tool of ours and an optional peer.
  expect(Object.entries(locked).filter(([, { devOptional }]) => devOptional)).toEqual([])
})

test('every peer that a package cannot do without is there, since npm does not see to it (`.npmrc`)', () => {
  const missing = Object.entries(locked).flatMap(([folder, { peerDependencies = {}, peerDependenciesMeta = {} }]) =>
    Object.keys(peerDependencies)
      .filter((name) => !peerDependenciesMeta[name]?.optional)
      .filter((name) => !foldersAbove(folder).some((above) => `${above}node_modules/${name}` in locked)),
  )
  // oxlint runs the plugins that were written for it.
  expect(new Set(missing)).toEqual(new Set(['eslint']))
})

test('an npm that runs on Node 20 installs the binaries too: it skips, without a word, optional ones that ask for a newer Node', () => {
  const skipped = Object.entries(locked).filter(([, { optional, engines }]) => optional && !mayRunOn(20, engines?.node ?? '*'))
  expect(skipped.map(([folder]) => folder)).toEqual([])
})

test('no package runs a script while it is installed but ours, and each that would was looked at', () => {
  expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual(['prepare'])

  const withScripts = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript)
  const names = withScripts.map(([folder]) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length))
  expect(manifest.allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, false])))
})

const nodePackage = Object.keys(manifest.optionalDependencies).find((name) => existsSync(join(repository, 'node_modules', name)))

test.skipIf(nodePackage === undefined)('what npm starts runs on the Node that the lock pins, and so does what that starts', () => {
  const { version } = locked[`node_modules/${nodePackage}`] as Locked
  expect(process.version).toBe(`v${version}`)
  expect(process.execPath).toContain(join(realpathSync(repository), 'node_modules', `${nodePackage}`))
})

test('a decision gives the reason for each package of production, and for no other', () => {
  const [, table = ''] = read('docs/decisions/0025-production-packages.md').split('\n## Packages\n')
  const rows = table.split('\n## ', 1).join().split('\n')
  const reasons = rows.flatMap((row) => {
    const [, packages = '', reason = ''] = row.split('|')
    return [...packages.matchAll(/`([^`]+)`/g)].map(([, name]) => ({ name, reason: reason.trim() }))
  })
  expect(new Set(reasons.map(({ name }) => name))).toEqual(new Set(Object.keys(production)))
  expect(reasons.filter(({ reason }) => reason.length < 10)).toEqual([])
})

/** Told by the lower bounds of an engines range. */
function mayRunOn(major: number, range: string): boolean {
  return range.split('||').some((part) => Number(/\d+/.exec(part)?.[0] ?? 0) <= major)
}

/** The folders in which Node looks for the packages that the one in `folder` imports, each with its closing slash. */
function foldersAbove(folder: string): string[] {
  const parts = folder.split(/(?=\/node_modules\/)/)
  return ['', ...parts.map((_, index) => `${parts.slice(0, index + 1).join('')}/`)]
}

function read(name: string): string {
  return readFileSync(join(repository, name), 'utf8')
}
