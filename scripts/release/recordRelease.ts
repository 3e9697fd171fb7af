import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { version } from '../../src/cli/version.ts'
import { migrationsFolder, readMigrationFiles } from '../../src/database/migrations/migrationFiles.ts'
import { commitFile, previousMigrations } from '../../test/support/rollout/previousRelease.ts'

/**
 * Stores the release that package.json names as the previous one, as the last thing before its number goes up: its last migration, its
 * commit, and its migrations and functions, from which tests upgrade a database.
 */
const releasesFile = join(migrationsFolder, 'releases.json')
const files = await readMigrationFiles(migrationsFolder)
const releases = { ...JSON.parse(await readFile(releasesFile, 'utf8')), [version]: files.at(-1)?.version }
await writeFile(releasesFile, `${JSON.stringify(releases, null, 2)}\n`)
await rm(previousMigrations, { recursive: true, force: true })
await mkdir(previousMigrations)
for (const name of [...files.map((file) => file.name), 'functions']) {
  await cp(join(migrationsFolder, name), join(previousMigrations, name), { recursive: true })
}
await writeFile(commitFile, execFileSync('git', ['rev-parse', 'HEAD']))
