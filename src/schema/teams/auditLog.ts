import { limits } from '../../contract/limits.ts'
import { isAuditPlace, type ListedEntry, listAudit } from '../../domain/audit/listAudit.ts'
import { auditActions, auditActorKinds } from '../../entities/AuditEntry.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { longest, maxFieldBytes } from '../core/fieldSizes.ts'
import { keysetConnection } from '../core/keysetConnection.ts'
import { allow } from '../core/scopes.ts'
import { TeamType } from './team.ts'

const AuditActionEnum = builder.enumType('AuditAction', { values: enumValues(auditActions) })

const AuditActorKindEnum = builder.enumType('AuditActorKind', {
  description: 'Somebody who has signed in; a key; an internal tool with the service token; the service itself.',
  values: enumValues(auditActorKinds),
})

const AuditEntryType = builder.objectRef<ListedEntry>('AuditEntry')

builder.objectType(AuditEntryType, {
  description: 'One administrative act. Entries are final, and hold no secrets, names or e-mail addresses; names are those of today.',
  authScopes: { caller: true },
  fields: (t) => ({
    id: t.exposeID('id'),
    time: t.expose('at', { type: 'DateTime' }),
    teamId: t.exposeID('teamId', { nullable: true, description: 'Null for what concerns no team.' }),
    actorKind: t.expose('actorKind', { type: AuditActorKindEnum }),
    actorId: t.exposeID('actorId', { nullable: true, description: 'Of the person or the key.' }),
    actorName: t.exposeString('actorName', { nullable: true, description: 'Null for tools, and when the person is gone.' }),
    tool: t.exposeString('tool', {
      nullable: true,
      description: 'What an internal tool calls itself in `X-Atelier-Tool`; nobody checks it.',
    }),
    action: t.expose('action', { type: AuditActionEnum }),
    subjectId: t.exposeID('subjectId', { nullable: true, description: 'What it was done to.' }),
    subjectName: t.exposeString('subjectName', {
      nullable: true,
      description: 'Of a person or key its name, of a webhook its address.',
      ...maxFieldBytes(longest.address),
    }),
    before: t.expose('before', {
      type: 'JSON',
      nullable: true,
      description: 'The fields that were changed, as they were.',
      ...maxFieldBytes(longest.auditDetails),
    }),
    after: t.expose('after', {
      type: 'JSON',
      nullable: true,
      description: 'As they are since; `changed` names those whose values are not written down.',
      ...maxFieldBytes(longest.auditDetails),
    }),
    address: t.exposeString('address', { nullable: true, description: 'Of the client, as requests are counted: of IPv6 the /64.' }),
    userAgent: t.exposeString('userAgent', { nullable: true }),
    requestId: t.exposeString('requestId', { nullable: true }),
  }),
})

const filterArguments = builder.args((t) => ({
  actorId: t.id({ description: 'Of that person or key alone.' }),
  subjectId: t.id({ description: 'What was done to that alone.' }),
  action: t.field({ type: AuditActionEnum }),
  since: t.field({ type: 'DateTime', description: 'Of that moment and later.' }),
  until: t.field({ type: 'DateTime', description: 'Before that moment.' }),
}))

const byPlace = { keyOf: ({ place }: ListedEntry) => place, isKey: isAuditPlace }
const kept = `Administrative acts of the last ${limits.auditLogDays} days, the newest first.`

builder.objectField(TeamType, 'auditLog', (t) =>
  t.connection({
    type: AuditEntryType,
    description: kept,
    args: filterArguments,
    authScopes: ({ id }) => allow('auditLog.read', id),
    resolve: ({ id: teamId }, { actorId, subjectId, action, since, until, ...page }, { context }) =>
      keysetConnection(page, {
        ...byPlace,
        find: (window) => listAudit(context, { teamId, actorId, subjectId, action, since, until }, window),
      }),
  }),
)

builder.queryField('auditLog', (t) =>
  t.connection({
    type: AuditEntryType,
    description: `${kept} Of all teams, and of what concerns none: people, sign-ins, families for everybody.`,
    args: { teamId: t.arg.id({ description: 'Of that team alone.' }), ...filterArguments },
    authScopes: allow('auditLog.readAll'),
    resolve: (_root, { teamId, actorId, subjectId, action, since, until, ...page }, { context }) =>
      keysetConnection(page, {
        ...byPlace,
        find: (window) => listAudit(context, { teamId: teamId ?? undefined, actorId, subjectId, action, since, until }, window),
      }),
  }),
)
