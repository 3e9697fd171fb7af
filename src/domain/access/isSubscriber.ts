import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const read = statement<{ subscriptionActive: boolean }>('is_subscriber', 'select subscription_active from users where id = $1')

/** Whether a person's subscription is active, as the database has it now; false for nobody. */
export async function isSubscriber({ sql }: Pick<Context, 'sql'>, userId: string): Promise<boolean> {
  return (await sql.one(read, [userId]))?.subscriptionActive ?? false
}
