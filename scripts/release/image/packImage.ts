import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { npmOptions } from './npmOptions.ts'

const run = promisify(execFile)
const quietly = { maxBuffer: 2 ** 26, timeout: 1_800_000 }

/** The platforms of the image of a release. */
const platforms = ['linux/amd64', 'linux/arm64'] as const

export type BaseImages = { node: string; debian: string }

/** `digest`: of the index, which names the image of each platform. */
export type PackedImage = { digest: string; manifests: { platform: string; digest: string }[]; bases: BaseImages }

type Packing = { containerfile: string; release: string; epochSeconds: number; file: string; bases?: Partial<BaseImages> | undefined }

/** True if this machine has buildah, which makes the image. */
export function hasBuildah(): boolean {
  return spawnSync('buildah', ['--version'], { stdio: 'ignore' }).status === 0
}

/**
 * Builds the image of the unpacked release in `release` for each platform, and packs both into the OCI archive `file`. No code of another
 * platform runs. The same release, base images and version of buildah give the same bytes: every file has the time `epochSeconds`. `bases`
 * replaces the base images that the Containerfile names.
 */
export async function packImage({ containerfile, release, epochSeconds, file, bases = {} }: Packing): Promise<PackedImage> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-image-'))
  const list = `localhost/atelier-release-${randomBytes(6).toString('hex')}`
  const images: string[] = []
  try {
    const used = { ...namedBases(await readFile(containerfile, 'utf8')), ...bases }
    const options = [
      ...(await npmOptions(folder)),
      ...['--format', 'oci', '--timestamp', String(epochSeconds), '--no-cache', '--quiet', '--file', containerfile],
      // buildah 1.28 of Debian 12 knows no BUILDPLATFORM.
      ...['--pull=false', '--build-arg', `BUILDPLATFORM=linux/${architectureHere()}`],
      ...['--build-arg', `NODE_IMAGE=${used.node}`, '--build-arg', `DEBIAN_IMAGE=${used.debian}`],
    ]
    await run('buildah', ['manifest', 'create', list])
    for (const platform of platforms) {
      const { stdout } = await run('buildah', ['build', ...options, '--platform', platform, release], quietly)
      const image = stdout.trim()
      images.push(image)
      await run('buildah', ['manifest', 'add', list, image], quietly)
    }
    const layout = join(folder, 'layout')
    await run('buildah', ['manifest', 'push', '--all', '--format', 'oci', list, `oci:${layout}`], quietly)
    await packLayout(layout, { file, epochSeconds })
    return { ...(await digestsOf(layout)), bases: used }
  } finally {
    await run('buildah', ['manifest', 'rm', list]).catch(() => undefined)
    for (const image of images) await run('buildah', ['rmi', '--force', image]).catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  }
}

/** The architecture of this machine by the name that images use. */
export function architectureHere(): string {
  return process.arch === 'x64' ? 'amd64' : process.arch
}

/** The base images that a Containerfile names. */
export function namedBases(containerfile: string): BaseImages {
  const named = (name: string) => {
    const found = new RegExp(`^ARG ${name}=(\\S+)$`, 'm').exec(containerfile)?.[1]
    if (found === undefined) throw new Error(`the Containerfile has no ${name}`)
    return found
  }
  return { node: named('NODE_IMAGE'), debian: named('DEBIAN_IMAGE') }
}

/** buildah itself packs an archive with the time and the order in which it wrote the files. */
async function packLayout(layout: string, { file, epochSeconds }: { file: string; epochSeconds: number }): Promise<void> {
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${epochSeconds}`, '--mode=u=rwX,go=rX']
  await run('tar', [...same, '--format=ustar', '-cf', file, '-C', layout, 'blobs', 'index.json', 'oci-layout'], quietly)
}

type Index = { manifests: { digest: string; platform?: { os: string; architecture: string } }[] }

async function digestsOf(layout: string): Promise<Omit<PackedImage, 'bases'>> {
  const read = async <Content>(...path: string[]) => JSON.parse(await readFile(join(layout, ...path), 'utf8')) as Content
  const digest = (await read<Index>('index.json')).manifests[0]?.digest ?? ''
  const { manifests } = await read<Index>('blobs', ...digest.split(':'))
  const images = manifests.map((each) => read<{ layers: { digest: string }[] }>('blobs', ...each.digest.split(':')))
  const baseLayers = (await Promise.all(images)).map(({ layers }) => layers[0]?.digest)
  if (new Set(baseLayers).size < platforms.length) throw new Error('two platforms have the same base image')
  return {
    digest,
    manifests: manifests.map((each) => ({ platform: `${each.platform?.os}/${each.platform?.architecture}`, digest: each.digest })),
  }
}
