import type { Read } from '../latency.ts'
import type { ReadSubjects, Span } from './readSubjects.ts'
import { restRead } from './request.ts'

/** Every GET endpoint of REST, with each of its filters, and the two other requests of a client that starts generations. */
export function restReads(key: string, subjects: ReadSubjects): Record<string, Read> {
  const { familyId, keyId, generationId, fileId, deliveryId, subscriptionId } = subjects
  const draft = { familyId, prompt: 'a lighthouse' }
  const reads: Record<string, string> = {
    ...historyPaths(subjects),
    ...usagePaths(subjects),
    ...deliveryPaths(`webhooks/${subscriptionId}/deliveries`, 'deliveries of a webhook', subjects),
    ...deliveryPaths('deliveries', 'deliveries', subjects),
    'deliveries, kind callback': 'deliveries?kind=callback',
    'deliveries, kind webhook': 'deliveries?kind=webhook',
    'deliveries, callbacks': 'deliveries?callbacks=true',
    'one generation': `generations/${generationId}`,
    ...(fileId === undefined ? {} : { 'one file': `files/${fileId}` }),
    ...(deliveryId === undefined ? {} : { 'one delivery': `deliveries/${deliveryId}` }),
    'one key': `keys/${keyId}`,
    'one webhook': `webhooks/${subscriptionId}`,
    account: 'account',
    families: 'families',
    'families of a task': 'families?task=text-to-image&outputType=image',
    'one family': `families/${familyId}`,
    files: 'files',
    'files, a type': 'files?type=image',
    'files, a type without files': 'files?type=video',
    'files, unused': 'files?unused=true',
    keys: 'keys',
    'keys, live': 'keys?state=live',
    'keys, revoked': 'keys?state=revoked',
    'keys, search': 'keys?search=e',
    webhooks: 'webhooks',
  }
  return {
    ...Object.fromEntries(Object.entries(reads).map(([name, path]) => [name, restRead(key, path)])),
    estimate: restRead(key, 'generations/estimate', draft),
  }
}

/** The one request that writes. It is measured after all reads, because its generations stay open. */
export function startRead(key: string, { familyId }: ReadSubjects): Read {
  return restRead(key, 'generations', { familyId, prompt: 'a lighthouse' })
}

function historyPaths({ familyId, keyId, reference, metadata, deepCursor, moments }: ReadSubjects): Record<string, string> {
  const filters: Record<string, Record<string, string>> = {
    history: {},
    'history, 50 rows': { limit: '50' },
    ...(deepCursor === undefined ? {} : { 'history, deep': { cursor: deepCursor } }),
    'history, active': { status: 'active' },
    'history, ready': { status: 'ready' },
    'history, failed': { status: 'failed' },
    'history, cancelled': { status: 'cancelled' },
    'history, a family': { familyId },
    'history, a family, ready': { familyId, status: 'ready' },
    'history, a family, active': { familyId, status: 'active' },
    'history, a family without generations': { familyId: 'bench-queue' },
    'history, a key': { keyId },
    'history, a key, failed': { keyId, status: 'failed' },
    'history, a key, active': { keyId, status: 'active' },
    'history, source rest': { source: 'rest' },
    'history, source mcp, which has none': { source: 'mcp' },
    'history, a reference': { reference },
    'history, an unknown reference': { reference: 'none' },
    'history, metadata': Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata[${name}]`, value])),
    'history, unknown metadata': { 'metadata[project]': 'none' },
    'history, a day': { createdAfter: moments.oneDay.from, createdBefore: moments.oneDay.to },
    'history, a day, ready': { createdAfter: moments.oneDay.from, createdBefore: moments.oneDay.to, status: 'ready' },
    'history, a day, failed': { createdAfter: moments.oneDay.from, createdBefore: moments.oneDay.to, status: 'failed' },
    'history, a day, a key': { createdAfter: moments.oneDay.from, createdBefore: moments.oneDay.to, keyId },
    'history, all filters': { ...days(moments.days30), familyId, keyId, status: 'ready', source: 'rest' },
  }
  return Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, pathOf('generations', filter)]))
}

const days = ({ from, to }: Span) => ({ createdAfter: from, createdBefore: to })

function usagePaths({ keyId, familyId, moments: { days92, days30 } }: ReadSubjects): Record<string, string> {
  const filters: Record<string, Record<string, string>> = {
    'usage, 30 days by day': { ...days30, by: 'day' },
    'usage, 92 days by day': { ...days92, by: 'day' },
    'usage, 30 days by key': { ...days30, by: 'key' },
    'usage, 92 days by key': { ...days92, by: 'key' },
    'usage, 30 days by family': { ...days30, by: 'family' },
    'usage, 92 days by family': { ...days92, by: 'family' },
    'usage, 92 days by reference': { ...days92, by: 'reference' },
    'usage, 92 days by metadata': { ...days92, by: 'metadata', name: 'project' },
    'usage, 92 days of a key': { ...days92, by: 'day', keyId },
    'usage, 92 days of a family': { ...days92, by: 'day', familyId },
  }
  return Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, pathOf('usage', filter)]))
}

function deliveryPaths(path: string, name: string, { moments: { days30 } }: ReadSubjects): Record<string, string> {
  return {
    [name]: path,
    [`${name}, delivered`]: pathOf(path, { state: 'delivered' }),
    [`${name}, failed`]: pathOf(path, { state: 'failed' }),
    [`${name}, pending`]: pathOf(path, { state: 'pending' }),
    [`${name}, an event`]: pathOf(path, { event: 'generation.completed' }),
    [`${name}, an event without deliveries`]: pathOf(path, { event: 'generation.cancelled' }),
    [`${name}, failed of an event`]: pathOf(path, { event: 'generation.completed', state: 'failed', limit: '50' }),
    [`${name}, since`]: pathOf(path, { since: days30.from }),
  }
}

const pathOf = (path: string, query: Record<string, string>) => {
  const text = new URLSearchParams(query).toString()
  return text === '' ? path : `${path}?${text}`
}
