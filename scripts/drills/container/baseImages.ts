import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { imageExists } from './buildImage.ts'

const run = promisify(execFile)

const debianImage = 'docker.io/library/debian:bookworm-slim'
const nodeImage = 'docker.io/library/node:24-bookworm-slim'

/** Packages that the slim image of Debian also omits. */
const notSlim = ['usr/share/doc', 'usr/share/man', 'usr/share/info', 'usr/share/locale', 'var/lib/apt/lists', 'var/cache/apt']

/**
 * Ensures that the base images of the Containerfile exist: pulls them or, if no registry answers, builds them under the same names from
 * Debian's packages, this machine's npm and the Node of the lock file. Returns which.
 */
export async function ensureBaseImages(): Promise<'here' | 'pulled' | 'made'> {
  if ((await imageExists(debianImage)) && (await imageExists(nodeImage))) return 'here'
  try {
    for (const image of [debianImage, nodeImage])
      await run('buildah', ['pull', '--quiet', '--policy', 'ifmissing', image], { timeout: 120_000 })
    return 'pulled'
  } catch {
    await makeImages()
    return 'made'
  }
}

async function makeImages(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-base-'))
  const system = join(folder, 'system')
  try {
    await run('debootstrap', ['--variant=minbase', 'bookworm', system, 'http://deb.debian.org/debian'], { maxBuffer: 2 ** 26 })
    for (const path of notSlim) await rm(join(system, path), { recursive: true, force: true })
    await makeImage(debianImage, { from: 'scratch', system })
    const added = join(folder, 'node')
    await addNode(added)
    await makeImage(nodeImage, { from: debianImage, system: added })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
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

async function makeImage(name: string, { from, system }: { from: string; system: string }): Promise<void> {
  const container = (await run('buildah', ['from', '--pull-never', from])).stdout.trim()
  try {
    await run('buildah', ['copy', container, system, '/'])
    await run('buildah', ['config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container])
    await run('buildah', ['commit', '--quiet', container, name])
  } finally {
    await run('buildah', ['rm', container])
  }
}
