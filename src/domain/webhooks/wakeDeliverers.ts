import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const wake = statement<never>('wake_deliverers', `select pg_notify('delivery', 'due')`)

/** Tells every process that delivers to look for what is due, when the transaction of the context commits. */
export async function wakeDeliverers(context: Context): Promise<void> {
  await context.sql.all(wake, [])
}
