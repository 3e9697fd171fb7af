import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAdminUi } from './adminUi.ts'
import { buildArtefacts, docsOrigin } from './artefacts/buildArtefacts.ts'
import { packFolder } from './artefacts/packFolder.ts'
import { writeVersionedDocs } from './artefacts/writeVersionedDocs.ts'
import { hasBuildah } from './image/packImage.ts'
import { fillReleaseFolder } from './releaseFolder.ts'

/**
 * Packs a release for production, to unpack before `npm ci --omit=dev`, with the built admin UI: dist/atelier-<version>.tar.gz, or the
 * folder in the argument. `--all` writes all artefacts of a release into dist/release, `--docs` the docs of this release and of those whose
 * archives are in the folder `--earlier` into dist/docs, or into the folder in the argument. `--all --earlier` also packs these docs.
 * `--image` names where the image of `--all` will be pushed; `--no-image` makes none. NODE_IMAGE and DEBIAN_IMAGE replace its base images.
 */
const root = join(import.meta.dirname, '../..')
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
    earlier: { type: 'string' },
    address: { type: 'string', default: '' },
    image: { type: 'string' },
    'no-image': { type: 'boolean', default: false },
  },
})
const [folder] = positionals
const address = values.address.replace(/\/$/, '')
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
const epochSeconds = Number(process.env['SOURCE_DATE_EPOCH'] ?? commitSeconds())
if (values.docs) await makeDocs(await emptyFolder('dist/docs'))
else await makeRelease()

/** The folder in the argument, which must be empty or missing, or the folder `usual` of this repository after its content was removed. */
async function emptyFolder(usual: string): Promise<string> {
  if (folder === undefined) await rm(join(root, usual), { recursive: true, force: true })
  const to = resolve(folder ?? join(root, usual))
  const found = await readdir(to).catch(() => [])
  if (found.length > 0) {
    process.stderr.write(`${to} is not empty. Name a new folder, or remove what is in it.\n`)
    process.exit(1)
  }
  return to
}

async function makeDocs(to: string): Promise<void> {
  await writeVersionedDocs(to, { root, version, origin: docsOrigin, earlier: values.earlier, address })
  process.stdout.write(`${to}\n`)
}

async function makeRelease(): Promise<void> {
  if (values.all && !values['no-image']) requireBuildah()
  await buildAdminUi()
  if (values.all) await makeAll(await emptyFolder('dist/release'))
  else if (folder === undefined) await makeTarball()
  else await fillReleaseFolder({ from: root, to: resolve(folder) })
}

async function makeAll(to: string): Promise<void> {
  const { NODE_IMAGE: node, DEBIAN_IMAGE: debian } = process.env
  const bases = { ...(node ? { node } : {}), ...(debian ? { debian } : {}) }
  const image = values['no-image'] ? undefined : { repository: values.image, bases }
  for (const name of await buildArtefacts({ root, version, epochSeconds, to, earlier: values.earlier, address, image }))
    process.stdout.write(`${join(to, name)}\n`)
  if (image === undefined) process.stdout.write('This release is not complete: it has no image (--no-image).\n')
}

/** A release that lacks the image must not look complete. */
function requireBuildah(): void {
  if (hasBuildah()) return
  process.stderr.write(
    '--all makes the image with buildah, which is not installed. Install it (apt-get install buildah), or add --no-image to leave the image out.\n',
  )
  process.exit(1)
}

async function makeTarball(): Promise<void> {
  const name = `atelier-${version}`
  const file = join(root, 'dist', `${name}.tar.gz`)
  const aside = await mkdtemp(join(tmpdir(), 'atelier-release-'))
  try {
    await fillReleaseFolder({ from: root, to: join(aside, name) })
    await mkdir(join(root, 'dist'), { recursive: true })
    packFolder(join(aside, name), file, epochSeconds)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
  process.stdout.write(`${file}\n`)
}

/** The time of all files in the archives: of the commit, or 0 outside of a checkout. */
function commitSeconds(): string {
  try {
    return execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return '0'
  }
}
