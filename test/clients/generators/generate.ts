import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'

/**
 * Runs three independent generators on the `openapi.json` of the given folder, in its own process. The code goes to
 * `openapi-typescript/`, `hey-api/` and `quicktype/`. Those that write TypeScript need the compiler API of version 5, which
 * `test/package.json` installs for them.
 */

const folder = argv[2] ?? '.'
const text = readFileSync(join(folder, 'openapi.json'), 'utf8')

const { default: openapiTypescript, astToString } = await import('openapi-typescript')
mkdirSync(join(folder, 'openapi-typescript'))
writeFileSync(join(folder, 'openapi-typescript/schema.ts'), astToString(await openapiTypescript(text)))

const { createClient } = await import('@hey-api/openapi-ts')
await createClient({
  input: join(folder, 'openapi.json'),
  output: { path: join(folder, 'hey-api'), importFileExtension: '.ts' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent', file: false },
})

const { InputData, JSONSchemaInput, quicktype } = await import('quicktype-core')
const schemas = new JSONSchemaInput(undefined)
await schemas.addSource({ name: '', uris: ['openapi.json#/components/schemas/'], schema: text })
const inputData = new InputData()
inputData.addInput(schemas)
const { lines } = await quicktype({ inputData, lang: 'python', rendererOptions: { 'python-version': '3.7' } })
mkdirSync(join(folder, 'quicktype'))
writeFileSync(join(folder, 'quicktype/models.py'), lines.join('\n'))
