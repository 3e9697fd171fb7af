import type { Log } from '../../database/log.ts'
import type { Notices } from '../notices.ts'
import type { Catalog } from './loadCatalog.ts'

/** The notification that a reload sends to every process. */
export const catalogFilesNotice = { channel: 'catalog', subject: 'files' } as const

export type LiveCatalog = {
  current(): Catalog
  /** Loads the files again. Rejects, and keeps the present catalog, when a file has an error. */
  reload(): Promise<Catalog>
  close(): void
}

/**
 * Holds the catalog of this process, at first `present`. Loads the files after a reload in another process, and after notifications may
 * have been missed. Requests and jobs that have begun keep the catalog that they began with.
 */
export function makeLiveCatalog(
  present: Catalog,
  { load, notices, log }: { load(): Promise<Catalog>; notices: Notices; log: Log },
): LiveCatalog {
  let current = present
  let last: Promise<unknown> = Promise.resolve()
  const loadOnce = async () => {
    const loaded = await load()
    if (loaded.etag !== current.etag) log.info({ families: loaded.families.size }, 'the catalog was loaded again')
    current = loaded
    return loaded
  }
  /** One load at a time: an earlier one that ends later would bring back older files. */
  const reload = () => {
    const next = last.catch(() => undefined).then(loadOnce)
    last = next
    return next
  }
  const unsubscribe = notices.subscribe(catalogFilesNotice.channel, catalogFilesNotice.subject, () => {
    reload().catch((error: unknown) => log.error({ error: String(error) }, 'the catalog could not be loaded again; the present one stays'))
  })
  return { current: () => current, reload, close: unsubscribe }
}
