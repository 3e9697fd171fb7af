import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { printedSchema } from '../../src/schema/schema.ts'

const file = join(import.meta.dirname, '../../src/admin-ui/api/schema.generated.d.ts')

/**
 * Writes the types by which the admin UI knows the GraphQL schema. They are made anew wherever they are needed and kept out of Git, so
 * that two branches that change the schema never meet in them.
 */
const introspection = minifyIntrospection(introspectionFromSchema(buildSchema(printedSchema())))
const types = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true })
if (types !== (await readFile(file, 'utf8').catch(() => ''))) {
  // In one step: an editor or a check that reads at the same time sees the old types or the new ones.
  const written = `${file}.${process.pid}`
  await writeFile(written, types)
  await rename(written, file)
}
