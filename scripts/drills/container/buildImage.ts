import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Builds the image of a source folder. Uses the `.dockerignore` of this release, because with that of 0.2.0 buildah leaves out files that the
 * image needs. Uses the machine's settings and cache of npm, which do not get into the image.
 */
export async function buildImage(sources: string, image: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-build-'))
  try {
    const settings = await readFile(join(homedir(), '.npmrc'), 'utf8').catch(() => '')
    const authorities = process.env['NODE_EXTRA_CA_CERTS']
    const secret = join(folder, 'npmrc')
    await writeFile(secret, `${settings}\n${authorities === undefined ? '' : `cafile=${authorities}\n`}`, { mode: 0o600 })
    const cache = (await run('npm', ['config', 'get', 'cache'])).stdout.trim()
    await mkdir(cache, { recursive: true })
    const options = [
      ...['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--network', 'host', '--quiet', '--tag', image],
      ...['--ignorefile', join(import.meta.dirname, '../../../.dockerignore')],
      ...['--secret', `id=npmrc,src=${secret}`, '--volume', `${cache}:/root/.npm`],
      ...(authorities === undefined ? [] : ['--volume', `${authorities}:${authorities}:ro`]),
    ]
    await run('buildah', ['build', ...options, sources], { maxBuffer: 2 ** 26, timeout: 900_000 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** True if the image exists on this machine. */
export async function imageExists(image: string): Promise<boolean> {
  return run('buildah', ['inspect', '--type', 'image', image], { maxBuffer: 2 ** 26 }).then(
    () => true,
    () => false,
  )
}
