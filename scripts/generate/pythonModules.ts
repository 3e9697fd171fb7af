import { kindOf } from '../../clients/typescript/src/errors/atelierError.ts'
import { errorName, formerErrorName } from '../../clients/typescript/src/errors/errorName.ts'
import { refusalTable } from '../../src/contract/refusals/refusals.ts'
import { endpoints } from '../../src/rest/endpoints.ts'
import { describe } from '../../src/rest/openapi.ts'
import type { TypedDocument } from './clientTypes.ts'
import { errorClasses } from './errorClasses.ts'
import { pythonModels } from './pythonModels.ts'
import { pythonRefusals, pythonRoutes } from './pythonTables.ts'

/** Generates the modules of the Python client, by file name. */
export function pythonModules(): Record<string, string> {
  const document = describe(
    endpoints(() => undefined),
    { publicUrl: 'https://atelier.example', version: '0' },
  ) as TypedDocument
  return {
    'models.py': pythonModels(document),
    'refusals.py': pythonRefusals(errorClasses(refusalTable, { kindOf, errorName, formerErrorName })),
    '_routes.py': pythonRoutes(document),
  }
}
