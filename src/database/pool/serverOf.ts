import pg from 'pg'

/** Returns the server and the database of a connection URL as the driver reads it, without user and password. */
export function serverOf(url: string): { host: string; database: string } {
  const { host, port, database = '' } = new pg.Client({ connectionString: url })
  return { host: `${host.includes(':') ? `[${host}]` : host}:${port}`, database }
}
