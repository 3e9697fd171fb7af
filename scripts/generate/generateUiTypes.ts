import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { printedSchema } from '../../src/schema/schema.ts'
import { uiPermissions } from './uiPermissions.ts'

const folder = join(import.meta.dirname, '../../src/admin-ui/api')

/**
 * Generates the files that the admin UI needs from server code, which it does not import. The types of the GraphQL schema are not in Git, so
 * that branches that change the schema do not conflict. The permissions are in Git: the UI needs them at run time.
 */
const introspection = minifyIntrospection(introspectionFromSchema(buildSchema(printedSchema())))
await writeIfChanged('schema.generated.d.ts', outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true }))
await writeIfChanged('permissions.generated.ts', uiPermissions())

/** Replaces the file in one step: an editor or a check that reads at the same time sees the old text or the new text. */
async function writeIfChanged(name: string, text: string): Promise<void> {
  const file = join(folder, name)
  if (text === (await readFile(file, 'utf8').catch(() => ''))) return
  const written = `${file}.${process.pid}`
  await writeFile(written, text)
  await rename(written, file)
}
