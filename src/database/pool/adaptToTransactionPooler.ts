import type pg from 'pg'

/** `begin` and `start transaction …`, by themselves. */
const beginning = /^\s*(begin|start transaction)\b[^;]*;?\s*$/i

/**
 * Makes a client fit for a pooler in transaction mode, behind which each transaction may be of another session. No statement keeps a
 * name, since the session that was told of it may be another's by the next one; and what a session would be set to at its start is said
 * with the beginning of each transaction, in the same message.
 */
export function adaptToTransactionPooler(client: pg.Client, settings: Readonly<Record<string, string | number>>): void {
  const query = client.query.bind(client) as (...values: unknown[]) => unknown
  const local = Object.entries(settings).map(([name, value]) => `; set local ${name} = '${value}'`)
  const fit = (text: string) => (beginning.test(text) ? text.replace(/;?\s*$/, '') + local.join('') : text)
  const asked = (config: unknown) => {
    if (typeof config === 'string') return fit(config)
    // What sends itself, such as a cursor, is nothing that we or the queue use.
    const { name: _, ...unnamed } = config as pg.QueryConfig
    return { ...unnamed, text: fit(unnamed.text) }
  }
  client.query = ((config: unknown, ...rest: unknown[]) => query(asked(config), ...rest)) as typeof client.query
}
