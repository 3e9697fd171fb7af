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
  description: 'A signed-in person; a key; an internal tool with the service token; the service itself.',
  values: enumValues(auditActorKinds),
})

const AuditEntryType = builder.objectRef<ListedEntry>('AuditEntry')

builder.objectType(AuditEntryType, {
  description:
    'One administrative action. Entries never change and contain no secrets, names or e-mail addresses. Names are read at present.',
  authScopes: { caller: true },
  fields: (t) => ({
    id: t.exposeID('id'),
    time: t.expose('at', { type: 'DateTime' }),
    teamId: t.exposeID('teamId', { nullable: true, description: 'Null for an action without a team.' }),
    actorKind: t.expose('actorKind', { type: AuditActorKindEnum }),
    actorId: t.exposeID('actorId', { nullable: true, description: 'Of the person, the key or the named service token.' }),
    actorName: t.exposeString('actorName', { nullable: true, description: 'Null for SERVICE_TOKEN, and for a deleted person.' }),
    tool: t.exposeString('tool', {
      nullable: true,
      description: 'The name that an internal tool sent in `X-Atelier-Tool`; it is not verified.',
    }),
    action: t.expose('action', { type: AuditActionEnum }),
    subjectId: t.exposeID('subjectId', { nullable: true, description: 'The object of the action.' }),
    subjectName: t.exposeString('subjectName', {
      nullable: true,
      description: 'The name of a person, key or team, the address of a webhook or an open invitation. Null for a deleted object.',
      ...maxFieldBytes(longest.address),
    }),
    before: t.expose('before', {
      type: 'JSON',
      nullable: true,
      description: 'The changed fields before the action.',
      ...maxFieldBytes(longest.auditDetails),
    }),
    after: t.expose('after', {
      type: 'JSON',
      nullable: true,
      description: 'The changed fields after the action; `changed` names fields whose values are not recorded.',
      ...maxFieldBytes(longest.auditDetails),
    }),
    address: t.exposeString('address', { nullable: true, description: 'The address of the client; for IPv6 the /64.' }),
    userAgent: t.exposeString('userAgent', { nullable: true }),
    requestId: t.exposeString('requestId', { nullable: true }),
  }),
})

const filterArguments = builder.args((t) => ({
  actorId: t.id({ description: 'Only actions of that person or key.' }),
  subjectId: t.id({ description: 'Only actions on that object.' }),
  action: t.field({ type: AuditActionEnum }),
  since: t.field({ type: 'DateTime', description: 'At that time or later.' }),
  until: t.field({ type: 'DateTime', description: 'Before that time.' }),
}))

const byPlace = { keyOf: ({ place }: ListedEntry) => place, isKey: isAuditPlace }
const kept = `Administrative actions of the last ${limits.auditLogDays} days, newest first.`

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
    description: `${kept} Of all teams, and actions without a team: on people, sign-ins and families for everybody.`,
    args: { teamId: t.arg.id({ description: 'Only of that team.' }), ...filterArguments },
    authScopes: allow('auditLog.readAll'),
    resolve: (_root, { teamId, actorId, subjectId, action, since, until, ...page }, { context }) =>
      keysetConnection(page, {
        ...byPlace,
        find: (window) => listAudit(context, { teamId: teamId ?? undefined, actorId, subjectId, action, since, until }, window),
      }),
  }),
)
