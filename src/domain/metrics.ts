/** One answered request; `route` is the route pattern, never the path. */
export type AnsweredRequest = { method: string; route: string; status: number; seconds: number }

/**
 * Records events as metrics. Cheap enough for every SQL statement. Labels never contain user input, so that there are few of them. Times
 * are seconds.
 */
export type MetricsRecorder = {
  request(answered: AnsweredRequest): void
  /** A request that was refused, by its code. */
  refusal(code: string): void
  /** `waitSeconds`: from the due time of the job until a process took it. */
  job(event: { task: string; waitSeconds: number; seconds: number; outcome: 'done' | 'failed' }): void
  providerCall(event: { provider: string; call: string; seconds: number; outcome: 'answered' | 'unanswered' }): void
  /** Work that failed for a reason outside the caller's control. */
  providerFault(event: { provider: string; code: string }): void
  deliveryAttempt(event: { outcome: string; seconds: number }): void
  storageFault(event: { operation: string }): void
  statement(seconds: number): void
  slowStatement(name: string): void
  /** Wait for a connection of the pool. */
  connectionWait(seconds: number): void
  /** Which server answered a list or log; recorded only with a replica. */
  historyRead(answeredBy: 'replica' | 'primary'): void
}

/** The current value of a metric, independent of the Prometheus format. */
export type Figure = {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  values: { labels: Record<string, string | number>; value: number; metricName?: string }[]
}

/** The metrics of this process, and those of the whole deployment that the database provides. */
export type Metrics = MetricsRecorder & {
  /** The Prometheus text format. */
  render(): Promise<{ contentType: string; text: string }>
  figures(): Promise<Figure[]>
}
