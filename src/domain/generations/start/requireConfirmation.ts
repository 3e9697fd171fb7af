import { creditsOf } from '../../../contract/hundredths.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Hundredths } from '../../../entities/Hundredths.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

const read = statement<{ confirmAbove: Hundredths | null }>('read_confirm_above', 'select confirm_above from api_keys where id = $1')

/**
 * Refuses a start of an agent above the price that its key allows without a confirmation by its person. The refusal has both amounts, so
 * that the agent's client can request the confirmation. Refusals: cost_above_limit with `confirmAboveCredits`.
 * Contract: docs/contract.md#confirmation-above-a-price.
 */
export async function requireConfirmation(context: Context, { source, keyId }: Spender, price: Hundredths): Promise<void> {
  if (source !== 'mcp' || keyId === null) return
  const { confirmAbove } = (await context.sql.one(read, [keyId])) ?? { confirmAbove: null }
  if (confirmAbove === null || price <= confirmAbove) return
  const confirmAboveCredits = creditsOf(confirmAbove)
  throw new Refusal(
    'cost_above_limit',
    { credits: creditsOf(price), maxCredits: confirmAboveCredits, confirmAboveCredits },
    { message: `The owner of this key must confirm a start above ${confirmAboveCredits} credits.` },
  )
}
