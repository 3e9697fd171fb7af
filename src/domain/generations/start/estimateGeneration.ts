import { creditsOf } from '../../../contract/hundredths.ts'
import type { Refusal } from '../../../contract/refusals/refusals.ts'
import type { PublicEstimate } from '../../../contract/shapes/estimate.ts'
import type { GenerationRequest } from '../../../contract/shapes/generationRequest.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import { blockersOf, maxCreditsRefusal, readSpending } from '../../credits/spending.ts'
import { planGeneration } from './planGeneration.ts'

/**
 * The price of a request, and whether a start would succeed now. Creates, holds and spends nothing.
 * Refusals: those of {@link planGeneration}. Limits of credits and spending are listed in `blockers` instead.
 */
export async function estimateGeneration(context: Context, spender: Spender, request: GenerationRequest): Promise<PublicEstimate> {
  const plan = await planGeneration(context, spender, request)
  const { total, breakdown } = plan.quote
  const spending = await readSpending(context, spender)
  const above = maxCreditsRefusal(total, request.maxCredits)
  const blocking: Refusal[] = [...(above ? [above] : []), ...blockersOf(spending, total, context.clock.now())]
  return {
    familyId: plan.family.id,
    variant: { modelId: plan.variant.modelId, task: plan.task, axes: { ...plan.variant.axes } },
    credits: creditsOf(total),
    creditsAvailable: creditsOf(spending.available),
    sufficient: total <= spending.available,
    breakdown: breakdown.map((line) => ({ unit: line.unit, quantity: line.quantity, credits: creditsOf(line.credits) })),
    expectedRunSeconds: { ...plan.variant.expectedRunSeconds },
    blockers: [...new Set(blocking.map(({ code }) => code))],
  }
}
