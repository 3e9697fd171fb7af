import autocannon from 'autocannon'

export type LoadOptions = {
  url: string
  connections: number
  seconds: number
  headers?: Record<string, string>
  method?: 'GET' | 'POST'
  body?: string
}

/** Requests per second that were answered with 2xx. Throws when any was not. */
export async function load({ url, connections, seconds, headers = {}, method = 'GET', body }: LoadOptions): Promise<number> {
  const result = await autocannon({ url, connections, duration: seconds, headers, method, ...(body === undefined ? {} : { body }) })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return result.requests.total / result.duration
}
