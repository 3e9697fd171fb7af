import { limits } from '../../contract/limits.ts'
import { listTeamAlerts, type TeamAlert } from '../../domain/webhooks/alerts/listTeamAlerts.ts'
import { builder } from '../core/builder.ts'
import { countsAsPage, longest, maxFieldBytes } from '../core/fieldSizes.ts'
import { allow } from '../core/scopes.ts'
import { TeamType } from '../teams/team.ts'
import { AlertKindEnum } from './alertSubscription.ts'

const TeamAlertType = builder.objectRef<TeamAlert>('TeamAlert')

builder.objectType(TeamAlertType, {
  description: 'An alert in the list of a team, once per subject, threshold and day in UTC.',
  authScopes: { caller: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Later alerts have greater numbers.' }),
    kind: t.expose('kind', { type: AlertKindEnum, description: 'What the alert is about.' }),
    raisedAt: t.expose('raisedAt', { type: 'DateTime', description: 'When the condition was found.' }),
    subjectId: t.exposeID('subjectId', { description: 'The key or the webhook, otherwise the team.' }),
    subjectName: t.exposeString('subjectName', {
      nullable: true,
      description: 'The present name of the key, or the address of the webhook.',
      ...maxFieldBytes(longest.address),
    }),
    limitKind: t.exposeString('limitKind', { nullable: true, description: 'The ceiling of the key: daily or monthly.' }),
    percent: t.exposeInt('percent', { nullable: true, description: 'The used share of the ceiling: 80 or 100.' }),
    thresholdCredits: t.exposeFloat('thresholdCredits', {
      nullable: true,
      description: 'The threshold that the available credits fell below.',
    }),
    autoPausedAt: t.expose('autoPausedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the webhook was paused because every attempt had failed for days.',
    }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true, description: 'The end of the key or of the plan.' }),
  }),
})

builder.objectField(TeamType, 'alerts', (t) =>
  t.field({
    type: [TeamAlertType],
    ...countsAsPage,
    description: 'The last alerts of 30 days, newest first, at most 50. They are listed without a subscription, too.',
    authScopes: ({ id }) => allow('webhooks.manage', id),
    resolve: ({ id }, _args, { context }) => listTeamAlerts(context, id, limits.historyPageItems),
  }),
)
