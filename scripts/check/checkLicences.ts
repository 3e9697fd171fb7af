import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LicensedPackage, licenceFindings } from './licences.ts'

type Locked = { version?: string; license?: string; dev?: boolean }

/**
 * Exits with 1 if a production package, on any platform, has a licence that is not allowed. Reads the lock file and the manifests of the
 * installed packages, in case the lock file was edited by hand.
 */
const root = join(import.meta.dirname, '../..')
const { packages } = readJson<{ packages: Record<string, Locked> }>('package-lock.json')
const production = Object.entries(packages).filter(([folder, { dev }]) => folder !== '' && dev !== true)
const locked = production.map(([folder, { version = '', license }]) => ({ name: nameOf(folder), version, licence: license }))
const installed = production.map(([folder]) => readStatedLicence(folder)).filter((stated) => stated !== undefined)

const findings = licenceFindings([...locked, ...installed])
for (const finding of new Set(findings)) process.stdout.write(`licences: ${finding}\n`)
if (findings.length > 0) process.stdout.write('licences: see scripts/check/licences.ts for allowed licences and the reasons\n')
else process.stdout.write(`licences: all ${locked.length} packages of production are allowed\n`)
process.exitCode = findings.length === 0 ? 0 : 1

function readStatedLicence(folder: string): LicensedPackage | undefined {
  if (!existsSync(join(root, folder, 'package.json'))) return undefined
  const { version, license } = readJson<{ version: string; license?: string | { type: string } }>(join(folder, 'package.json'))
  return { name: nameOf(folder), version, licence: typeof license === 'object' ? license.type : license }
}

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function readJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Content
}
