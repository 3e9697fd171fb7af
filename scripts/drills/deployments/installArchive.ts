import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ReleaseArchive } from './releaseArchives.ts'

const run = promisify(execFile)
const { HOME = '/', PATH = '' } = process.env

/** PATH without node_modules/.bin, where npm puts development programs first. */
export const bareEnvironment = {
  HOME,
  PATH: PATH.split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':'),
}

/** Unpacks a release in `folder` and installs its packages, unless that was done before. Returns its folder. */
export async function installArchive({ archive, version }: ReleaseArchive, folder: string): Promise<string> {
  const target = join(folder, `atelier-${version}`)
  if (existsSync(join(target, 'node_modules'))) return target
  await mkdir(folder, { recursive: true })
  await run('tar', ['-xzf', archive, '-C', folder])
  const options = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', ['ci', ...options], { cwd: target, env: { ...bareEnvironment, ...npmSettings() }, timeout: 300_000 })
  return target
}

/** Points the symbolic link `folder`/atelier to a release, atomically. Returns the link. */
export async function linkRelease(target: string, folder: string): Promise<string> {
  const link = join(folder, 'atelier')
  await symlink(target, `${link}.new`)
  await rename(`${link}.new`, link)
  return link
}

/** The settings of npm for its registry, and no others. */
function npmSettings(): Record<string, string> {
  const names = ['npm_config_registry', 'npm_config_cache', 'npm_config_userconfig']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
}
