import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { writeVersionedDocs } from '../../../../scripts/release/artefacts/writeVersionedDocs.ts'
import { aDocsRoot, aKeptDocsArchive, memoryFolderOfTest } from '../../../support/release/docsOfReleases.ts'

const address = 'https://docs.example.com'

async function twoVersions() {
  const folder = await memoryFolderOfTest()
  const earlier = join(folder, 'kept')
  await aKeptDocsArchive(earlier, { version: '0.9.0', pages: ['api', 'quickstart', 'files'] })
  const root = await aDocsRoot(folder, ['api', 'quickstart', 'webhooks'])
  const write = async (name: string, version = '0.10.0') => {
    await writeVersionedDocs(join(folder, name), { root, version, origin: 'https://atelier.example.com', earlier, address })
    return join(folder, name)
  }
  return { write, earlier }
}

const { write, earlier } = await twoVersions()
const site = await write('site')
const read = (name: string) => readFile(join(site, name), 'utf8')

async function hashesOf(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const hashes = entries.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name)
    return `${relative(folder, file)} ${createHash('sha256')
      .update(await readFile(file))
      .digest('hex')}`
  })
  return (await Promise.all(hashes)).toSorted()
}

test('the latest version is at the root and at its own path, the earlier one below its version, and versions.json lists both', async () => {
  expect(JSON.parse(await read('versions.json'))).toEqual([
    { version: '0.10.0', path: '/', latest: true },
    { version: '0.9.0', path: '/0.9.0/', latest: false },
  ])
  expect(await read('index.html')).toContain('content="0; url=/docs/guides/"')
  expect(await read('0.10.0/index.html')).toContain('content="0; url=/0.10.0/docs/guides/"')
  expect(await read('0.9.0/index.html')).toContain('content="0; url=/0.9.0/docs/guides/"')
})

test('the selector leads to the same page of the other version, or to its start page', async () => {
  const targets = async (file: string) =>
    [...(/<details class="versions".*?<\/details>/s.exec(await read(file))?.[0].matchAll(/href="([^"]*)"/g) ?? [])].map(([, href]) => href)
  expect(await targets('docs/guides/quickstart/index.html')).toEqual(['/docs/guides/quickstart/', '/0.9.0/docs/guides/quickstart/'])
  expect(await targets('docs/guides/webhooks/index.html')).toEqual(['/docs/guides/webhooks/', '/0.9.0/docs/guides/'])
  expect(await targets('0.9.0/docs/guides/files/index.html')).toEqual(['/docs/guides/', '/0.9.0/docs/guides/files/'])
})

test('every page has a canonical link to the latest version, and only earlier ones have a notice', async () => {
  const pages = (await readdir(site, { recursive: true })).filter((name) => /docs\/.*\.html$/.test(name))
  expect(pages).toHaveLength(3 * 6)
  for (const name of pages) {
    const page = await read(name)
    const [, canonical = ''] = /<link rel="canonical" href="https:\/\/docs\.example\.com([^"]*)">/.exec(page) ?? []
    const file = name.replace(/^0\.\d+\.0\//, '')
    const kept = file.includes('/files/') ? 'docs/guides/index.html' : file
    expect([name, canonical]).toEqual([name, `/${kept.replace(/index\.html$/, '')}`])
    expect([name, page.includes('role="note"')]).toEqual([name, name.startsWith('0.9.0/')])
  }
  expect(await read('0.9.0/docs/guides/files/index.html')).toContain('<a href="/docs/guides/">The docs of 0.10.0, the latest release</a>')
  expect(await read('0.9.0/docs/index.html')).toContain('<a href="/docs/">The same page of 0.10.0, the latest release</a>')
})

test('pages, search and index of a version name only its own files, and each of them exists', async () => {
  const files = new Set(await readdir(site, { recursive: true }))
  for (const name of [...files].filter((each) => /^0\.9\.0\/docs\/.*\.html$/.test(each))) {
    const page = (await read(name)).replace(/<(details|p) [^>]*data-versions>.*?<\/\1>|<link rel="canonical"[^>]*>/gs, '')
    const paths = [...page.matchAll(/ (?:href|src|srcset|data-path|data-url|data-viewer|data-samples)="(\/[^"#]*)/g)].map(
      ([, path = '']) => path,
    )
    expect(paths.filter((path) => !path.startsWith('/0.9.0/docs'))).toEqual(['/versions.css'])
    expect(paths.filter((path) => !files.has(path.slice(1)))).toEqual([])
  }
  expect(await read('0.9.0/docs/guides/files/index.html')).toContain('srcset="/0.9.0/docs/pictures/keys-dark.webp"')
  const entries = JSON.parse(await read('0.9.0/docs/search.json')) as { path: string }[]
  expect(new Set(entries.map(({ path }) => path.split('#')[0]))).toEqual(
    new Set(['api', 'quickstart', 'files'].map((page) => `/0.9.0/docs/guides/${page}`).concat('/0.9.0/docs/errors')),
  )
  expect(await read('0.9.0/docs/llms.txt')).toContain(`](${address}/0.9.0/docs/guides/files.md)`)
  expect(await read('docs/llms.txt')).toContain(`](${address}/docs/guides/webhooks.md)`)
})

test('two builds give the same bytes', async () => {
  expect(await hashesOf(await write('again'))).toEqual(await hashesOf(site))
})

test('a kept archive of the same version is refused, and links in an archive are left out', async () => {
  await expect(write('clash', '0.9.0')).rejects.toThrow('atelier-docs-0.9.0.tar.gz is of the version that these sources are')
  const folder = await memoryFolderOfTest()
  execFileSync('mkdir', ['-p', join(folder, 'atelier-docs-0.8.0/docs')])
  execFileSync('ln', ['-s', '/etc/hostname', join(folder, 'atelier-docs-0.8.0/docs/host.txt')])
  execFileSync('tar', ['-czf', join(earlier, 'atelier-docs-0.8.0.tar.gz'), '-C', folder, 'atelier-docs-0.8.0'])
  const written = await write('linked')
  expect((await readdir(written, { recursive: true })).filter((name) => name.includes('host.txt'))).toEqual([])
})

test('an archive whose folder is a link to another folder is refused', async () => {
  const folder = await memoryFolderOfTest()
  execFileSync('ln', ['-s', '/etc', join(folder, 'atelier-docs-0.7.0')])
  const archive = join(earlier, 'atelier-docs-0.7.0.tar.gz')
  execFileSync('tar', ['-czf', archive, '-C', folder, 'atelier-docs-0.7.0'])
  await expect(write('elsewhere')).rejects.toThrow('atelier-docs-0.7.0 in its archive is no folder')
  await rm(archive)
})
