/** One answered request; `route` is the pattern, never the address. */
export type AnsweredRequest = { method: string; route: string; status: number; seconds: number }

/**
 * What rooms tell of their own work, to be counted. Cheap enough for every statement; labels are names of ours and never what a user
 * wrote, so that there are few of them. Times are seconds.
 */
export type MetricsRecorder = {
  request(answered: AnsweredRequest): void
  /** `waitSeconds`: from when the job was due until a process took it. */
  job(told: { task: string; waitSeconds: number; seconds: number; outcome: 'done' | 'failed' }): void
  providerCall(told: { provider: string; call: string; seconds: number; outcome: 'answered' | 'unanswered' }): void
  /** Work that ended without a result for a reason that is not its caller's. */
  providerFault(told: { provider: string; code: string }): void
  deliveryAttempt(told: { outcome: string; seconds: number }): void
  storageFault(told: { operation: string }): void
  statement(seconds: number): void
  slowStatement(name: string): void
  /** How long somebody waited for a connection of the pool. */
  connectionWait(seconds: number): void
  /** Who answered a list or a log, where there is a replica that may. */
  historyRead(answeredBy: 'replica' | 'primary'): void
}

/** A figure as it stands, for those who speak another format than Prometheus'. */
export type Figure = {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  values: { labels: Record<string, string | number>; value: number; metricName?: string }[]
}

/** The figures of this process and, as far as the database gives them, of the whole deployment. */
export type Metrics = MetricsRecorder & {
  /** In the text format of Prometheus. */
  render(): Promise<{ contentType: string; text: string }>
  figures(): Promise<Figure[]>
}
