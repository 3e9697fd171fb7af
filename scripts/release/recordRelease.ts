import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { makeLogger } from '../../src/cli/boot/logger.ts'
import { version } from '../../src/cli/version.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded/embeddedPostgres.ts'
import { migrateDatabase } from '../../src/database/migrations/migrate.ts'
import { migrationsFolder, readMigrationFiles } from '../../src/database/migrations/migrationFiles.ts'
import { readSchemaShape } from '../check/schemaShape.ts'

/** Writes down what the release that package.json names relies on, as the last thing before its number goes up. */
const log = makeLogger({ level: 'error' })
const folder = await mkdtemp(join(tmpdir(), 'atelier-release-'))
const postgres = await startEmbeddedPostgres({ folder, log })
try {
  await migrateDatabase(postgres.url, { log })
  const client = new pg.Client(postgres.url)
  await client.connect()
  const shape = await readSchemaShape(client)
  await client.end()
  const releasesFile = join(migrationsFolder, 'releases.json')
  const releases = {
    ...JSON.parse(await readFile(releasesFile, 'utf8')),
    [version]: (await readMigrationFiles(migrationsFolder)).at(-1)?.version,
  }
  await mkdir(join(migrationsFolder, 'releases'), { recursive: true })
  await writeFile(join(migrationsFolder, 'releases', `${version}.json`), `${JSON.stringify(shape, null, 2)}\n`)
  await writeFile(releasesFile, `${JSON.stringify(releases, null, 2)}\n`)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
