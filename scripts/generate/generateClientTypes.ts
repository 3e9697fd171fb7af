import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kindOf } from '../../clients/typescript/src/errors/atelierError.ts'
import { errorName, formerErrorName } from '../../clients/typescript/src/errors/errorName.ts'
import { refusalTable } from '../../src/contract/refusals/refusals.ts'
import { endpoints } from '../../src/rest/endpoints.ts'
import { describe } from '../../src/rest/openapi.ts'
import { checkManifests } from './clientManifests.ts'
import { clientRefusals } from './clientRefusals.ts'
import { clientTypes, type TypedDocument } from './clientTypes.ts'
import { errorClasses } from './errorClasses.ts'

checkManifests(join(import.meta.dirname, '../..'))

const document = describe(
  endpoints(() => undefined),
  { publicUrl: 'https://atelier.example', version: '0' },
)
const sources = join(import.meta.dirname, '../../clients/typescript/src')
writeFileSync(join(sources, 'openapi.ts'), clientTypes(document as TypedDocument))
writeFileSync(join(sources, 'errors/refusals.ts'), clientRefusals(errorClasses(refusalTable, { kindOf, errorName, formerErrorName })))
