import type pg from 'pg'

/** Matches a message that is only `begin` or `start transaction …`. */
const beginning = /^\s*(begin|start transaction)\b[^;]*;?\s*$/i

/**
 * Adapts a client to a pooler in transaction mode, where each transaction may use another session. Statements lose their names, since the
 * next statement may reach a session that has not prepared it. Session settings are sent with the `begin` of each transaction instead.
 */
export function adaptToTransactionPooler(client: pg.Client, settings: Readonly<Record<string, string | number>>): void {
  const query = client.query.bind(client) as (...values: unknown[]) => unknown
  const local = Object.entries(settings).map(([name, value]) => `; set local ${name} = '${value}'`)
  const fit = (text: string) => (beginning.test(text) ? text.replace(/;?\s*$/, '') + local.join('') : text)
  const adapt = (config: unknown) => {
    if (typeof config === 'string') return fit(config)
    // Objects that submit themselves, such as cursors, are used neither here nor by the queue.
    const { name: _, ...unnamed } = config as pg.QueryConfig
    return { ...unnamed, text: fit(unnamed.text) }
  }
  client.query = ((config: unknown, ...rest: unknown[]) => query(adapt(config), ...rest)) as typeof client.query
}
