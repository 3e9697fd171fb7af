import type pg from 'pg'

type Query = (config: unknown, ...rest: unknown[]) => unknown

/** The same connection with another `query`. */
export function withQuery(client: pg.PoolClient, query: Query): pg.PoolClient {
  return new Proxy(client, {
    get(target, key) {
      if (key === 'query') return query
      const value = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
