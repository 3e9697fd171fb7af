import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nameImage } from '../image/nameImage.ts'
import { type BaseImages, packImage } from '../image/packImage.ts'
import { fillReleaseFolder } from '../releaseFolder.ts'
import { billOfMaterials } from './billOfMaterials.ts'
import { packClients } from './packClients.ts'
import { packFolder } from './packFolder.ts'
import { imageNotes, releaseNotes } from './releaseNotes.ts'
import { writeDocsSite } from './writeDocsSite.ts'
import { writeHelmChart } from './writeHelmChart.ts'
import { writeVersionedDocs } from './writeVersionedDocs.ts'

type Release = {
  root: string
  version: string
  epochSeconds: number
  to: string
  /** The folder with the docs of earlier releases. Without it, the site with the docs of all releases is not packed. */
  earlier?: string | undefined
  /** The address of that site. */
  address?: string | undefined
  /** Where the image will be pushed, if that is known, and its base images. Without it, no image is made. */
  image?: { repository: string | undefined; bases: Partial<BaseImages> } | undefined
}

/** The address in the examples of the published docs. */
export const docsOrigin = 'https://atelier.example.com'

/**
 * Writes all artefacts of a release into the new folder `to`: the image, the archive, the packages of the clients, the docs, the chart, the
 * bill of materials, the release notes, and the checksums of all; with `earlier` also the docs of all releases as one site. The same sources
 * give the same bytes. The admin UI must be built. Returns the file names.
 */
export async function buildArtefacts({ root, version, epochSeconds, to, earlier, address, image }: Release): Promise<string[]> {
  const aside = await mkdtemp(join(tmpdir(), 'atelier-release-'))
  await mkdir(to, { recursive: true })
  const pack = (name: string, file: string) => packFolder(join(aside, name), join(to, file), epochSeconds)
  try {
    const release = join(aside, `atelier-${version}`)
    await fillReleaseFolder({ from: root, to: release })
    const file = join(to, `atelier-image-${version}.tar`)
    const packed =
      image && (await packImage({ containerfile: join(root, 'Containerfile'), release, epochSeconds, file, bases: image.bases }))
    const named = packed && { repository: image.repository, digest: packed.digest }
    if (named) await nameImage(release, named)
    pack(`atelier-${version}`, `atelier-${version}.tar.gz`)
    await writeDocsSite(join(aside, `atelier-docs-${version}`), { root, version, origin: docsOrigin })
    pack(`atelier-docs-${version}`, `atelier-docs-${version}.tar.gz`)
    if (earlier !== undefined) {
      await writeVersionedDocs(join(aside, `atelier-docs-site-${version}`), { root, version, origin: docsOrigin, earlier, address })
      pack(`atelier-docs-site-${version}`, `atelier-docs-site-${version}.tar.gz`)
    }
    // Helm requires the name of the chart as the name of its folder.
    await writeHelmChart(join(aside, 'atelier'), { root, version, image: named })
    pack('atelier', `atelier-chart-${version}.tgz`)
    await packClients(root, to, epochSeconds)
    await writeFile(join(to, `atelier-${version}.cdx.json`), billOfMaterials(root, epochSeconds))
    await writeFile(
      join(to, 'release-notes.md'),
      `${releaseNotes(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), version)}\n${imageNotes(packed, image?.repository)}`,
    )
    const names = (await readdir(to)).toSorted()
    const sums = await Promise.all(names.map(async (name) => `${sha256(await readFile(join(to, name)))}  ${name}\n`))
    await writeFile(join(to, 'SHA256SUMS'), sums.join(''))
    return [...names, 'SHA256SUMS']
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
