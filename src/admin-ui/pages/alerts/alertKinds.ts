import type { AlertKind } from './alertQueries.ts'

/** The event of each alert, and when it is sent. */
export const alertKinds: Record<AlertKind, { name: string; when: string }> = {
  CREDITS_LOW: { name: 'credits.low', when: 'Fewer credits are available than the threshold in the settings.' },
  KEY_NEAR_CEILING: { name: 'key.near_ceiling', when: 'A key has used 80% of a ceiling.' },
  WEBHOOK_FAILING: { name: 'webhook.failing', when: 'A webhook fails again and again.' },
  KEY_EXPIRING: { name: 'key.expiring', when: 'A key ends soon.' },
  PLAN_EXPIRING: { name: 'plan.expiring', when: 'The plan of the team ends soon.' },
}

export const allAlertKinds = Object.keys(alertKinds) as AlertKind[]
