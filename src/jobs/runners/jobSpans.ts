import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from '../../domain/context.ts'
import { statement } from '../../domain/sql.ts'
import type { BegunAttempt } from '../../domain/webhooks/sending/beginAttempts.ts'
import type { AttemptReport } from '../../domain/webhooks/sending/endAttempts.ts'
import type { Generation } from '../../entities/Generation.ts'
import { isTracing, traced } from '../../tracing/tracing.ts'

/** The task of a job, and its wait since it was due. */
type JobInfo = { task: string; waitMs: number }

const job = new AsyncLocalStorage<JobInfo>()

/** Runs a job. The span of its step records the wait. */
export function runWithJobInfo<Result>(about: JobInfo, work: () => Result): Result {
  return isTracing() ? job.run(about, work) : work()
}

const traceOfGeneration = statement<{ traceParent: string | null }>(
  'trace_of_generation',
  'select trace_parent from generations where id = $1',
)
const traceOfDelivery = statement<{ traceParent: string | null; event: string; eventNumber: number }>(
  'trace_of_delivery',
  'select trace_parent, event, event_number from webhook_deliveries where id = $1',
)

/** Runs a step in a span of the trace that started the generation. Makes no query while tracing is off. */
export async function tracedStep<Result>(
  context: Context,
  task: string,
  generation: Generation,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return work()
  const row = await context.sql.one(traceOfGeneration, [generation.id])
  const attributes = {
    'atelier.task': task,
    'atelier.generation_id': generation.id,
    'atelier.family': generation.familyId,
    'atelier.variant': generation.fallbackModelId ?? generation.modelId ?? undefined,
    'atelier.job.wait_ms': job.getStore()?.waitMs,
  }
  return traced(`job ${task}`, { kind: 'consumer', parent: row?.traceParent ?? undefined, attributes }, work)
}

/** Runs a webhook attempt in a span of the trace that caused its event. */
export async function tracedAttempt(context: Context, begun: BegunAttempt, work: () => Promise<AttemptReport>): Promise<AttemptReport> {
  if (!isTracing()) return work()
  const row = await context.sql.one(traceOfDelivery, [begun.deliveryId]).catch(() => undefined)
  const attributes = {
    'atelier.subscription_id': begun.subscriptionId,
    'atelier.delivery_id': begun.deliveryId,
    'atelier.event': row?.event,
    'atelier.event_number': row?.eventNumber,
    'atelier.attempt': begun.number,
  }
  return traced('webhook attempt', { kind: 'producer', parent: row?.traceParent ?? undefined, attributes }, async (span) => {
    const report = await work()
    span?.add({ 'atelier.outcome': report.outcome, 'http.response.status_code': report.responseCode ?? undefined })
    if (report.outcome !== 'delivered') span?.fail(report.outcome)
    return report
  })
}
