import { execFile } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildAdminUi } from '../../release/adminUi.ts'
import { type BaseImages, type PackedImage, packImage } from '../../release/image/packImage.ts'
import { fillReleaseFolder } from '../../release/releaseFolder.ts'
import { type MountedImage, mountImage } from './runImage.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const containerfile = join(root, 'Containerfile')
/** Of the ELF header of a program: https://www.sco.com/developers/gabi/latest/ch4.eheader.html */
const machines: Record<string, number> = { 'linux/amd64': 62, 'linux/arm64': 183 }

export type ReleaseImage = PackedImage & { file: string }

/** Packs the image twice as `npm run release -- --all` does, in `folder`. Throws unless both archives have the same bytes. */
export async function packTwice(folder: string, bases: BaseImages): Promise<ReleaseImage> {
  await buildAdminUi()
  const pack = async (name: string) => {
    // Two copies, so that neither the order in which files were written nor their times can be the same by accident.
    const release = join(folder, name)
    await fillReleaseFolder({ from: root, to: release })
    const file = join(folder, `${name}.tar`)
    return { file, ...(await packImage({ containerfile, release, epochSeconds: 1_700_000_000, file, bases })) }
  }
  const [first, second] = [await pack('release-1'), await pack('release-2')]
  if (first.digest !== second.digest) throw new Error(`two builds give the digests ${first.digest} and ${second.digest}`)
  const [one, other] = await Promise.all([readFile(first.file), readFile(second.file)])
  if (!one.equals(other)) throw new Error('two archives with the same digest have different bytes')
  return first
}

/** Loads the image of this machine's platform from the archive, and checks that each image has the system and the Node of its platform. */
export async function loadImage({ file, manifests }: ReleaseImage, name: string): Promise<void> {
  const layout = await mkdtemp(`${file}-`)
  await run('tar', ['-xf', file, '-C', layout])
  for (const { platform, digest } of manifests) {
    const cpu = platform === 'linux/amd64' ? 'x64' : 'arm64'
    for (const program of ['usr/bin/dash', `app/node_modules/node-linux-${cpu}/bin/node`]) {
      const machine = await machineOf(layout, { digest, program })
      if (machine !== machines[platform]) throw new Error(`the image for ${platform} has a ${program} for machine ${machine}`)
    }
  }
  // Not with --arch: buildah 1.28 then mixes both images of the archive.
  const image = (await run('buildah', ['pull', '--quiet', `oci-archive:${file}`])).stdout.trim()
  await run('buildah', ['tag', image, name])
}

/** Reads the machine from the header of a program, in the last layer that has it. */
async function machineOf(layout: string, { digest, program }: { digest: string; program: string }): Promise<number | undefined> {
  const blob = (name: string) => join(layout, 'blobs', ...name.split(':'))
  const { layers } = JSON.parse(await readFile(blob(digest), 'utf8')) as { layers: { digest: string }[] }
  for (const layer of layers.toReversed()) {
    const header = ['-c', 'tar -xzOf "$1" "$2" | head -c 20', 'sh', blob(layer.digest), program]
    const { stdout } = await run('sh', header, { encoding: 'buffer' })
    if (stdout.length === 20) return stdout.readUInt16LE(18)
  }
  return undefined
}

/** Throws if an image has other files than a mounted one below /app. */
export async function assertSameFiles(mounted: MountedImage, image: string): Promise<void> {
  const other = await mountImage(image)
  try {
    await run('diff', ['--recursive', '--no-dereference', '--brief', join(mounted.root, 'app'), join(other.root, 'app')])
  } finally {
    await other.unmount()
  }
}
