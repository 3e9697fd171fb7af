import { execFile } from 'node:child_process'
import { cp, lstat, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { architectureHere, type BaseImages, namedBases } from '../../release/image/packImage.ts'
import { imageExists } from './buildImage.ts'

const run = promisify(execFile)

/** Made here where no registry answers. The Debian image is a list of one for each platform. */
const made: BaseImages = { node: 'localhost/atelier-base-node:24', debian: 'localhost/atelier-base-debian:bookworm' }
const containerfile = join(import.meta.dirname, '../../../Containerfile')

/** Packages that the slim image of Debian also omits, and what debootstrap leaves when it only unpacks. */
const notSlim = [
  ...['usr/share/doc', 'usr/share/man', 'usr/share/info', 'usr/share/locale', 'var/lib/apt/lists', 'var/cache/apt', 'debootstrap'],
]

/**
 * Ensures that base images for the Containerfile exist: pulls those that it names by digest or, if no registry answers, builds some from
 * Debian's packages, this machine's npm and the Node of the lock file. Returns their names.
 */
export async function ensureBaseImages(): Promise<{ bases: BaseImages; from: 'here' | 'registry' | 'made' }> {
  if ((await imageExists(made.node)) && (await listExists(made.debian))) return { bases: made, from: 'here' }
  const named = namedBases(await readFile(containerfile, 'utf8'))
  try {
    for (const image of Object.values(named))
      await run('buildah', ['pull', '--quiet', '--policy', 'ifmissing', image], { timeout: 120_000 })
    return { bases: named, from: 'registry' }
  } catch {
    await makeImages()
    return { bases: made, from: 'made' }
  }
}

async function listExists(name: string): Promise<boolean> {
  return run('buildah', ['manifest', 'inspect', name]).then(
    () => true,
    () => false,
  )
}

async function makeImages(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-base-'))
  try {
    await run('buildah', ['manifest', 'rm', made.debian]).catch(() => undefined)
    await run('buildah', ['manifest', 'create', made.debian])
    for (const architecture of ['amd64', 'arm64']) {
      const system = join(folder, architecture)
      await makeDebian(system, architecture)
      const image = `${made.debian}-${architecture}`
      await makeImage(image, { from: 'scratch', system, architecture })
      await run('buildah', ['manifest', 'add', '--arch', architecture, made.debian, image])
    }
    const added = join(folder, 'node')
    await addNode(added)
    const architecture = architectureHere()
    await makeImage(made.node, { from: `${made.debian}-${architecture}`, system: added, architecture })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Packages of another architecture are unpacked but not configured, which would run their code. */
async function makeDebian(folder: string, architecture: string): Promise<void> {
  const options = ['--variant=minbase', `--arch=${architecture}`, ...(architecture === architectureHere() ? [] : ['--foreign'])]
  await run('debootstrap', [...options, 'bookworm', folder, 'http://deb.debian.org/debian'], { maxBuffer: 2 ** 26 })
  for (const path of notSlim) await rm(join(folder, path), { recursive: true, force: true })
  // debootstrap may leave a link to the folder of the machine.
  const proc = join(folder, 'proc')
  if (!(await lstat(proc)).isSymbolicLink()) return
  await rm(proc)
  await mkdir(proc)
}

/** Installs the Node of this process, and npm with its links, as the image of Node does. */
export async function addNode(folder: string): Promise<void> {
  await mkdir(join(folder, 'usr/local/bin'), { recursive: true })
  await cp(process.execPath, join(folder, 'usr/local/bin/node'))
  await cp(await npmFolder(), join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true })
  for (const name of ['npm', 'npx']) {
    await run('ln', ['-s', `../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, dirname('usr/local/bin/npm'), name)])
  }
}

/** The folder of the npm that runs this script. The global folder of npm is below the pinned Node, which has no npm. */
async function npmFolder(): Promise<string> {
  const script = process.env['npm_execpath']
  return script === undefined ? join((await run('npm', ['root', '--global'])).stdout.trim(), 'npm') : join(dirname(script), '..')
}

type Making = { from: string; system: string; architecture: string }

async function makeImage(name: string, { from, system, architecture }: Making): Promise<void> {
  const container = (await run('buildah', ['from', '--pull-never', from])).stdout.trim()
  try {
    await run('buildah', ['copy', container, system, '/'])
    const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    await run('buildah', ['config', '--env', path, '--arch', architecture, container])
    await run('buildah', ['commit', '--quiet', container, name])
  } finally {
    await run('buildah', ['rm', container])
  }
}
