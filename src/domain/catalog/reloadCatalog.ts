import { type Issue, Refusal } from '../../contract/refusals/refusals.ts'
import { type Context, transaction } from '../context.ts'
import { recordAudit } from '../recordAudit.ts'
import { statement } from '../sql.ts'
import { catalogFilesNotice } from './liveCatalog.ts'
import { CatalogError } from './loadCatalog.ts'

const { channel, subject } = catalogFilesNotice
const notify = statement<never>('notify_catalog_files', `select pg_notify('${channel}', '${subject}')`)

const issuesMax = 20

/**
 * Loads the family files again, in this process and then in every other. Refusals: invalid_request, with an issue for each of the first
 * errors in the files; every process keeps its catalog then. Contract: docs/contract.md#reload-the-catalog.
 */
export async function reloadCatalog(context: Context): Promise<void> {
  const { families, etag } = await context.reloadCatalogFiles().catch((error: unknown) => {
    throw error instanceof CatalogError ? refusalOf(error) : error
  })
  await transaction(context, async (inside) => {
    await recordAudit(inside, { action: 'catalog.reloaded', after: { families: families.size, etag } })
    await inside.sql.one(notify, [])
  })
}

function refusalOf({ problems }: CatalogError): Refusal {
  const issues = problems
    .slice(0, issuesMax)
    .map(
      ({ file, path, reason }): Issue => ({ in: 'body', path: [file], code: 'bad_format', message: path ? `${path}: ${reason}` : reason }),
    )
  return new Refusal('invalid_request', { issues }, { message: 'The family files have errors. Correct them, and reload again.' })
}
