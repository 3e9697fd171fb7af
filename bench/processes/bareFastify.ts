import Fastify from 'fastify'
import pg from 'pg'

/** The minimal server for comparison: Fastify and one prepared statement. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const app = Fastify()
app.get('/generations/:id', async (request) => {
  const { id } = request.params as { id: string }
  const { rows } = await pool.query({ name: 'read', text: 'select * from generations where id = $1', values: [id] })
  return rows[0]
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.once('SIGTERM', () => process.exit(0))
process.send?.(address)
