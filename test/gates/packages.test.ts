import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Manifest = {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
}
type Locked = { optionalDependencies?: Record<string, string>; hasInstallScript?: boolean }

const manifest = read<Manifest>('package.json')
const locked = read<{ packages: Record<string, Locked> }>('package-lock.json').packages

test('every package is pinned to one version', () => {
  const ranges = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  )
  expect(ranges).toEqual([])
})

test('a fresh clone installs: the lock knows the binaries of every platform, not only of the one that wrote it', () => {
  const missing = Object.entries(locked).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !foldersAbove(folder).some((above) => `${above}node_modules/${name}` in locked)),
  )
  expect(missing).toEqual([])
})

test('npm runs the install scripts that we need, and no others ask for it', () => {
  const withScripts = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript)
  const names = withScripts.map(([folder]) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length))
  expect(names.toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted())
})

/** The folders in which Node looks for the packages that the one in `folder` imports, each with its closing slash. */
function foldersAbove(folder: string): string[] {
  const parts = folder.split(/(?=\/node_modules\/)/)
  return ['', ...parts.map((_, index) => `${parts.slice(0, index + 1).join('')}/`)]
}

function read<Content>(name: string): Content {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../..', name), 'utf8')) as Content
}
