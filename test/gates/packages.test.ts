import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs'
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
/** The packages that only drills use are installed in `test`. */
const drillManifest = JSON.parse(read('test/package.json')) as Pick<Manifest, 'devDependencies' | 'allowScripts'>
const drillsLocked = (JSON.parse(read('test/package-lock.json')) as { packages: Record<string, Locked> }).packages

test('every package is pinned to one version', () => {
  const ranges = Object.entries({ ...production, ...manifest.devDependencies, ...drillManifest.devDependencies }).filter(
    ([, version]) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  )
  expect(ranges).toEqual([])
})

test('the lock pins the content of every package, also of those for other platforms', () => {
  const loose = Object.entries(locked).filter(([folder, { integrity = '' }]) => folder !== '' && !integrity.startsWith('sha512-'))
  expect(loose.map(([folder]) => folder)).toEqual([])
})

test('no lock names a registry, so that each machine uses its own', () => {
  expect([...Object.values(locked), ...Object.values(drillsLocked)].filter(({ resolved }) => resolved !== undefined)).toEqual([])
})

test('the packages of drills are not installed with the project, and hide none of its packages from tests', () => {
  const drillPackages = Object.keys(drillManifest.devDependencies)
  expect(drillPackages.filter((name) => `node_modules/${name}` in locked && name !== 'typescript')).toEqual([])
  const texts = globSync('test/**/*.ts', { cwd: repository, exclude: ['test/node_modules'] }).map(read)
  // The generators of TypeScript import the compiler.
  const unused = drillPackages.filter((name) => name !== 'typescript' && !texts.some((text) => text.includes(`'${name}'`)))
  expect(unused).toEqual([])
  const inReach = Object.keys(drillsLocked).flatMap((folder) => /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(folder)?.[1] ?? [])
  expect(inReach.toSorted()).toEqual(drillPackages.toSorted())
})

test('a fresh clone installs: the lock contains the binaries of every platform', () => {
  const missing = Object.entries(locked).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !foldersAbove(folder).some((above) => `${above}node_modules/${name}` in locked)),
  )
  expect(missing).toEqual([])
})

test('`npm ci --omit=dev` omits each development tool that no production package depends on', () => {
  const kept = Object.keys(manifest.devDependencies).filter((name) => !locked[`node_modules/${name}`]?.dev)
  expect(kept).toEqual(['@types/node', '@types/pg', 'ajv-formats', 'yaml'])
  // Such as vitest, an optional peer of better-auth: npm keeps packages that are both our tool and an optional peer.
  expect(Object.entries(locked).filter(([, { devOptional }]) => devOptional)).toEqual([])
})

test('every required peer is installed, because npm does not check it (`.npmrc`)', () => {
  const missing = Object.entries(locked).flatMap(([folder, { peerDependencies = {}, peerDependenciesMeta = {} }]) =>
    Object.keys(peerDependencies)
      .filter((name) => !peerDependenciesMeta[name]?.optional)
      .filter((name) => !foldersAbove(folder).some((above) => `${above}node_modules/${name}` in locked)),
  )
  // oxlint runs these plugins itself.
  expect(new Set(missing)).toEqual(new Set(['eslint']))
})

test('npm on Node 20 installs the binaries too, although it silently skips optional packages for a newer Node', () => {
  const skipped = Object.entries(locked).filter(([, { optional, engines }]) => optional && !mayRunOn(20, engines?.node ?? '*'))
  expect(skipped.map(([folder]) => folder)).toEqual([])
})

test('only our own packages run install scripts, and each other one was reviewed', () => {
  expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual(['prepare'])

  expect(manifest.allowScripts).toEqual(refusedScripts(locked))
  expect(drillManifest.allowScripts).toEqual(refusedScripts(drillsLocked))
})

const nodePackage = Object.keys(manifest.optionalDependencies).find((name) => existsSync(join(repository, 'node_modules', name)))

test.skipIf(nodePackage === undefined)('npm scripts and their child processes run on the Node that the lock pins', () => {
  const { version } = locked[`node_modules/${nodePackage}`] as Locked
  expect(process.version).toBe(`v${version}`)
  expect(process.execPath).toContain(join(realpathSync(repository), 'node_modules', `${nodePackage}`))
})

test('a decision gives the reason for each production package, and for no other', () => {
  const [, table = ''] = read('docs/decisions/0025-production-packages.md').split('\n## Packages\n')
  const rows = table.split('\n## ', 1).join().split('\n')
  const reasons = rows.flatMap((row) => {
    const [, packages = '', reason = ''] = row.split('|')
    return [...packages.matchAll(/`([^`]+)`/g)].map(([, name]) => ({ name, reason: reason.trim() }))
  })
  expect(new Set(reasons.map(({ name }) => name))).toEqual(new Set(Object.keys(production)))
  expect(reasons.filter(({ reason }) => reason.length < 10)).toEqual([])
})

function refusedScripts(packages: Record<string, Locked>): Record<string, boolean> {
  const withScripts = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
  const names = withScripts.map(([folder]) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length))
  return Object.fromEntries(names.map((name) => [name, false]))
}

/** Checks the lower bounds of an engines range. */
function mayRunOn(major: number, range: string): boolean {
  return range.split('||').some((part) => Number(/\d+/.exec(part)?.[0] ?? 0) <= major)
}

/** The folders in which Node resolves imports of the package in `folder`, each with a trailing slash. */
function foldersAbove(folder: string): string[] {
  const parts = folder.split(/(?=\/node_modules\/)/)
  return ['', ...parts.map((_, index) => `${parts.slice(0, index + 1).join('')}/`)]
}

function read(name: string): string {
  return readFileSync(join(repository, name), 'utf8')
}
