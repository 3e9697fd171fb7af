import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Manifest = { name?: string; version?: string; license?: string; homepage?: string; keywords?: string[]; repository?: { url?: string } }

/**
 * What is wrong with the manifests of the clients: both have the version of the service, a changelog of it, the same licence and the same
 * repository. The name for npm has a scope, because anybody may register one without. `root`: the folder of the repository.
 */
export function manifestFaults(root: string): string[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const service = JSON.parse(read('package.json')) as Manifest
  const npm = JSON.parse(read('clients/typescript/package.json')) as Manifest
  const python = pythonManifest(read('clients/python/pyproject.toml'), read('clients/python/atelier_client/_version.py'))
  const clients = { 'clients/typescript/package.json': npm, 'clients/python/pyproject.toml': python }
  const changelogs = ['clients/typescript/CHANGELOG.md', 'clients/python/CHANGELOG.md'].filter(
    (path) => !read(path).includes(`\n## ${service.version}\n`),
  )
  return [
    ...Object.entries(clients).flatMap(([path, manifest]) => faultsOf(manifest, service).map((fault) => `${path}: ${fault}`)),
    ...changelogs.map((path) => `${path}: has no section ${service.version}`),
    ...(/^@[\w-]+\/[\w-]+$/.test(npm.name ?? '') ? [] : ['clients/typescript/package.json: the name has no scope']),
    ...(python.repository?.url === npm.repository?.url?.replace(/^git\+/, '') ? [] : ['the clients have different repositories']),
  ]
}

/** Throws an error that names every fault. */
export function checkManifests(root: string): void {
  const faults = manifestFaults(root)
  if (faults.length > 0) throw new Error(`the manifests of the clients have faults:\n${faults.join('\n')}`)
}

function faultsOf({ version, license, homepage, keywords = [], repository }: Manifest, service: Manifest): string[] {
  return [
    ...(version === service.version ? [] : [`the version is ${version}, not ${service.version}`]),
    ...(license === service.license ? [] : [`the licence is ${license}, not ${service.license}`]),
    ...(homepage ? [] : ['there is no homepage']),
    ...(repository?.url ? [] : ['there is no repository']),
    ...(keywords.length > 0 ? [] : ['there are no keywords']),
  ]
}

/** Node reads no TOML. These values are on one line each. */
function pythonManifest(project: string, version: string): Manifest {
  const value = (pattern: RegExp, text = project) => pattern.exec(text)?.[1]
  return {
    ...{ name: value(/^name = "(.*)"$/m), version: value(/^VERSION = "(.*)"$/m, version) },
    ...{ license: value(/^license = \{ text = "(.*)" \}$/m), homepage: value(/^Homepage = "(.*)"$/m) },
    ...{ keywords: value(/^keywords = \[(.*)\]$/m)?.split(', '), repository: { url: value(/^Repository = "(.*)"$/m) } },
  } as Manifest
}
