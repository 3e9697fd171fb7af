import { Pool } from 'undici'

/** One request, sent repeatedly. */
export type Read = { path: string; key: string; body?: unknown }

/** Sends reads to the service at `url` and records durations in milliseconds. Throws for any status but 2xx, and for GraphQL errors. */
export function latencyOf(url: string, clients: number) {
  const pool = new Pool(url, { connections: clients })
  async function ask({ path, key, body }: Read): Promise<unknown> {
    const { statusCode, body: answer } = await pool.request({
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (statusCode >= 300 || text.startsWith('{"errors"')) throw new Error(`${path} was answered ${statusCode}: ${text.slice(0, 500)}`)
    return JSON.parse(text)
  }
  return {
    ask,
    take: async (read: Read, { requests, milliseconds }: { requests: number; milliseconds: number }): Promise<number[]> => {
      const taken: number[] = []
      const endsAt = performance.now() + milliseconds
      let left = requests
      const client = async () => {
        while (left-- > 0 && performance.now() < endsAt) {
          const startedAt = performance.now()
          await ask(read)
          taken.push(performance.now() - startedAt)
        }
      }
      await Promise.all(Array.from({ length: clients }, client))
      return taken
    },
    close: () => pool.close(),
  }
}

/** Returns the quantile of the values. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
