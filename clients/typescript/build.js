import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, execPath, exit } from 'node:process'

/**
 * Builds the package into `dist/`, or into the given folder: ES modules with the command in `esm/`, and CommonJS in `cjs/`. Run by
 * `npm pack`, with the compiler of the repository.
 */
const folder = import.meta.dirname
const dist = argv[2] ?? join(folder, 'dist')
const compiler = join(folder, '../../node_modules/typescript/bin/tsc')

rmSync(dist, { recursive: true, force: true })
for (const [project, name, type] of [
  ['tsconfig.json', 'esm', 'module'],
  ['tsconfig.cjs.json', 'cjs', 'commonjs'],
]) {
  const { status } = spawnSync(execPath, [compiler, '-p', join(folder, project), '--outDir', join(dist, name)], { stdio: 'inherit' })
  if (status !== 0) exit(1)
  writeFileSync(join(dist, name, 'package.json'), `{ "type": "${type}" }\n`)
  for (const file of readdirSync(join(dist, name), { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.d.ts')) nameModules(join(dist, name, file))
  }
}

/** The compiler keeps the names of sources in declarations. Not every tool resolves them. */
function nameModules(path) {
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/((?:from|import\()\s*'\.[^']*)\.ts'/g, "$1.js'"))
}
