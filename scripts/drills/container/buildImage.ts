import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { npmOptions } from '../../release/image/npmOptions.ts'
import type { BaseImages } from '../../release/image/packImage.ts'

const run = promisify(execFile)

/**
 * Builds the image of a source folder as docs/deployment.md says. Uses the `.dockerignore` of this release, because with that of 0.2.0 buildah
 * leaves out files that the image needs.
 */
export async function buildImage(sources: string, image: string, bases: BaseImages): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-build-'))
  try {
    const options = [
      ...(await npmOptions(folder)),
      ...['--format', 'docker', '--pull-never', '--quiet', '--tag', image],
      ...['--ignorefile', join(import.meta.dirname, '../../../.dockerignore')],
      ...['--build-arg', `NODE_IMAGE=${bases.node}`, '--build-arg', `DEBIAN_IMAGE=${bases.debian}`],
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
