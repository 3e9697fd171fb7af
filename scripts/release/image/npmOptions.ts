import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Options of `buildah build` that give a build the settings, the cache and the certificate authorities that npm has on this machine. None of
 * them gets into the image. Writes the settings into `folder`.
 */
export async function npmOptions(folder: string): Promise<string[]> {
  const settings = await readFile(join(homedir(), '.npmrc'), 'utf8').catch(() => '')
  const authorities = process.env['NODE_EXTRA_CA_CERTS']
  const secret = join(folder, 'npmrc')
  await writeFile(secret, `${settings}\n${authorities === undefined ? '' : `cafile=${authorities}\n`}`, { mode: 0o600 })
  const cache = (await run('npm', ['config', 'get', 'cache'])).stdout.trim()
  await mkdir(cache, { recursive: true })
  return [
    ...['--isolation', 'chroot', '--network', 'host', '--secret', `id=npmrc,src=${secret}`, '--volume', `${cache}:/root/.npm`],
    ...(authorities === undefined ? [] : ['--volume', `${authorities}:${authorities}:ro`]),
  ]
}
