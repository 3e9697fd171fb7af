import { Counter, Histogram, type Registry } from 'prom-client'
import type { MetricsRecorder } from '../domain/metrics.ts'

const quick = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]
const patient = [0.02, 0.1, 0.5, 2, 10, 60, 300]

/** Creates the counters and histograms of this process. */
export function makeMeasures(registry: Registry): MetricsRecorder {
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  const histogram = <Label extends string>(name: string, help: string, labelNames: readonly Label[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers: [registry] })

  const requests = counter('atelier_http_requests_total', 'Requests answered.', ['method', 'route', 'status'])
  const refusals = counter('atelier_refusals_total', 'Refused requests by code.', ['code'])
  const requestSeconds = histogram(
    'atelier_http_request_seconds',
    'Time from the headers of a request to the end of its response, including waits.',
    ['method', 'route'],
    [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
  )
  const jobs = counter('atelier_jobs_total', 'Jobs that this process ran. Failed jobs are retried.', ['task', 'outcome'])
  const jobSeconds = histogram('atelier_job_seconds', 'Duration of a job.', ['task'], patient)
  const jobWait = histogram('atelier_job_wait_seconds', 'Time from the due time of a job until this process took it.', ['task'], patient)
  const calls = counter('atelier_provider_calls_total', 'Calls of providers.', ['provider', 'call', 'outcome'])
  const callSeconds = histogram('atelier_provider_call_seconds', 'Duration of a call of a provider.', ['provider', 'call'], patient)
  const faults = counter('atelier_provider_faults_total', 'Failed work that its caller did not cause.', ['provider', 'code'])
  const attempts = counter('atelier_webhook_attempts_total', 'Attempts to deliver a webhook.', ['outcome'])
  const attemptSeconds = histogram('atelier_webhook_attempt_seconds', 'Duration of an attempt to deliver a webhook.', [], patient)
  const storageFaults = counter('atelier_storage_faults_total', 'Failed operations of the object storage.', ['operation'])
  const statements = histogram('atelier_database_statement_seconds', 'Duration of statements.', [], quick)
  const slow = counter('atelier_database_slow_statements_total', 'Statements slower than SLOW_STATEMENT_MS.', ['statement'])
  const waits = histogram('atelier_database_wait_seconds', 'Wait for a connection of the pool.', [], quick)
  const historyReads = counter('atelier_history_reads_total', 'Reads of lists and logs by server; only with a replica.', ['answered_by'])

  return {
    request: ({ method, route, status, seconds }) => {
      requests.inc({ method, route, status })
      requestSeconds.observe({ method, route }, seconds)
    },
    refusal: (code) => refusals.inc({ code }),
    job: ({ task, waitSeconds, seconds, outcome }) => {
      jobs.inc({ task, outcome })
      jobSeconds.observe({ task }, seconds)
      jobWait.observe({ task }, waitSeconds)
    },
    providerCall: ({ provider, call, seconds, outcome }) => {
      calls.inc({ provider, call, outcome })
      callSeconds.observe({ provider, call }, seconds)
    },
    providerFault: (labels) => faults.inc(labels),
    deliveryAttempt: ({ outcome, seconds }) => {
      attempts.inc({ outcome })
      attemptSeconds.observe(seconds)
    },
    storageFault: (labels) => storageFaults.inc(labels),
    statement: (seconds) => statements.observe(seconds),
    slowStatement: (statement) => slow.inc({ statement }),
    connectionWait: (seconds) => waits.observe(seconds),
    historyRead: (answered_by) => historyReads.inc({ answered_by }),
  }
}
