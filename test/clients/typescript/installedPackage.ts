import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const repository = join(import.meta.dirname, '../../..')
export const clientSource = join(repository, 'clients/typescript')

/** Builds and packs the client as npm does, and installs it in a new folder with the types of Node, without a network. */
export async function installedPackage(): Promise<{ folder: string; tarball: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-client-'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const built = join(folder, 'built')
  await run(process.execPath, [join(clientSource, 'build.js'), join(built, 'dist')])
  for (const name of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']) await cp(join(clientSource, name), join(built, name))
  const quietly = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')]
  const { stdout } = await run('npm', ['pack', '--silent', ...quietly], { cwd: built })
  const tarball = join(built, stdout.trim())
  await run('npm', ['install', tarball, ...quietly], { cwd: folder })
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  await symlink(join(repository, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
  await symlink(join(repository, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'))
  return { folder, tarball }
}

/** Compiles the TypeScript in a folder, and returns the complaints of the compiler. */
export async function compilerErrors(folder: string, include: readonly string[]): Promise<string> {
  const options = { module: 'nodenext', target: 'esnext', strict: true, exactOptionalPropertyTypes: true, noEmit: true, types: ['node'] }
  const compilerOptions = { ...options, noPropertyAccessFromIndexSignature: true, allowImportingTsExtensions: true }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }))
  const compiler = join(repository, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) => error)
  return stdout
}
