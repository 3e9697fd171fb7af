import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type DocsVersion, versionedPage } from './versionedPage.ts'
import { writeDocsSite } from './writeDocsSite.ts'

type VersionedDocs = {
  root: string
  version: string
  /** The address in the examples. */
  origin: string
  /** Archives `atelier-docs-<version>.tar.gz` of earlier releases. Others of its files are ignored. */
  earlier?: string | undefined
  /** The address of the docs site for canonical links, without a trailing slash. Without it they are paths. */
  address?: string | undefined
}

type Unpacked = { version: string; folder: string; files: string[] }

const archiveName = /^atelier-docs-(\d+\.\d+\.\d+)\.tar\.gz$/

/**
 * Writes the docs of several releases into the new folder `to`: the latest at the root, each below its version, and `versions.json`. Every page
 * has a version selector and a canonical link. The same sources and archives give the same bytes.
 */
export async function writeVersionedDocs(to: string, { root, version, origin, earlier, address = '' }: VersionedDocs): Promise<void> {
  const sitesFolder = await mkdtemp(join(tmpdir(), 'atelier-docs-'))
  try {
    await writeDocsSite(join(sitesFolder, `atelier-docs-${version}`), { root, version, origin })
    for (const name of earlier === undefined ? [] : await readdir(earlier)) {
      const [, of] = archiveName.exec(name) ?? []
      if (of === version) throw new Error(`${name} is of the version that these sources are`)
      if (of !== undefined) execFileSync('tar', ['-xzf', join(earlier as string, name), '-C', sitesFolder, `atelier-docs-${of}`])
    }
    const sites = await readSites(sitesFolder)
    const versions = sites.map(versionOf) as [DocsVersion, ...DocsVersion[]]
    await mkdir(to, { recursive: true })
    for (const [index, site] of sites.entries()) {
      const ours = versions[index] as DocsVersion
      await writeSite(to, site, { current: ours, versions, address })
      // The latest is at both places: a link to its version stays right after the next release.
      if (index === 0) await writeSite(to, site, { current: { ...ours, prefix: `/${ours.version}` }, versions, address })
    }
    await copyFile(join(import.meta.dirname, 'versions.css'), join(to, 'versions.css'))
    const list = versions.map(({ version: each, prefix }, index) => ({ version: each, path: `${prefix}/`, latest: index === 0 }))
    await writeFile(join(to, 'versions.json'), `${JSON.stringify(list, null, 2)}\n`)
  } finally {
    await rm(sitesFolder, { recursive: true, force: true })
  }
}

/**
 * The unpacked sites, the latest first. Anything but files and folders in an archive, such as a symbolic link, is left out. A site that is
 * itself a link would publish the folder to which it leads.
 */
async function readSites(sitesFolder: string): Promise<Unpacked[]> {
  const byVersion = new Intl.Collator('en', { numeric: true })
  const found = await readdir(sitesFolder, { withFileTypes: true })
  const link = found.find((entry) => !entry.isDirectory())
  if (link) throw new Error(`${link.name} in its archive is no folder`)
  const names = found.map(({ name }) => name).toSorted((one, other) => byVersion.compare(other, one))
  return Promise.all(
    names.map(async (name) => {
      const folder = join(sitesFolder, name)
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      return { version: name.replace('atelier-docs-', ''), folder, files: files.toSorted() }
    }),
  )
}

function versionOf({ version, files }: Unpacked, index: number): DocsVersion {
  return { version, prefix: index === 0 ? '' : `/${version}`, pages: new Set(files.filter((file) => file.endsWith('.html'))) }
}

type Place = { current: DocsVersion; versions: readonly [DocsVersion, ...DocsVersion[]]; address: string }

async function writeSite(to: string, { folder, files }: Unpacked, place: Place): Promise<void> {
  const { prefix } = place.current
  for (const file of files) {
    const target = join(to, prefix, file)
    await mkdir(dirname(target), { recursive: true })
    const read = () => readFile(join(folder, file), 'utf8')
    if (file.endsWith('.html')) await writeFile(target, versionedPage(await read(), { ...place, file }))
    else if (file === 'docs/search.json') await writeFile(target, movedSearch(await read(), prefix))
    else if (file === 'docs/llms.txt') await writeFile(target, movedIndex(await read(), `${place.address}${prefix}`))
    else await copyFile(join(folder, file), target)
  }
}

function movedSearch(entries: string, prefix: string): string {
  return JSON.stringify((JSON.parse(entries) as { path: string }[]).map((entry) => ({ ...entry, path: `${prefix}${entry.path}` })))
}

function movedIndex(text: string, base: string): string {
  return text.replaceAll(/\]\(https?:\/\/[^/)]+\/docs\//g, () => `](${base}/docs/`)
}
