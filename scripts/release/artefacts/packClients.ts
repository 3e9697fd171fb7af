import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packFolder } from './packFolder.ts'

const quiet = ['ignore', 'ignore', 'inherit'] as ('ignore' | 'inherit')[]
const buildFiles = /__pycache__|\.egg-info|\/build(?:\/|$)/
const buildSdist = 'import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])'

/**
 * Packs the TypeScript client (`npm pack`) and the Python client (a source distribution) into `folder`. Needs python3 with setuptools. Builds
 * the Python client in a copy, so that no build files stay in the sources, and packs it again, because setuptools writes the time.
 */
export async function packClients(root: string, folder: string, epochSeconds: number): Promise<void> {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(root, 'clients/typescript'), stdio: quiet })
  const aside = await mkdtemp(join(tmpdir(), 'atelier-clients-'))
  try {
    const [sources, made] = [join(aside, 'python'), join(aside, 'made')]
    await cp(join(root, 'clients/python'), sources, { recursive: true, filter: (path) => !buildFiles.test(path) })
    execFileSync('python3', ['-c', buildSdist, made], { cwd: sources, stdio: quiet })
    const [packed = ''] = await readdir(made)
    execFileSync('tar', ['-xzf', join(made, packed), '-C', aside])
    packFolder(join(aside, packed.replace('.tar.gz', '')), join(folder, packed), epochSeconds)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}
