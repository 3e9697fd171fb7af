import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '../src/rest/endpoints.ts'
import { describe } from '../src/rest/openapi.ts'
import { clientTypes, type TypedDocument } from './clientTypes.ts'

const document = describe(
  endpoints(() => undefined),
  { publicUrl: 'https://atelier.example', version: '0' },
)
writeFileSync(join(import.meta.dirname, '../clients/typescript/src/openapi.ts'), clientTypes(document as TypedDocument))
