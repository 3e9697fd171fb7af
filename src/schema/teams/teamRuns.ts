import { creditsOf } from '../../contract/hundredths.ts'
import { spenderOf } from '../../domain/access/spender.ts'
import { type RunBlocker, runBlockerOf, runBlockers, setTeamRuns } from '../../domain/access/teams/teamRuns.ts'
import { readPersonSpending } from '../../domain/credits/personSpending.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { countsAsPage } from '../core/fieldSizes.ts'
import { allow } from '../core/scopes.ts'
import { TeamType } from './team.ts'

const RunBlockerEnum = builder.enumType('RunBlocker', {
  description: 'Why a person may not run models in a team. MEMBERS_NOT_ALLOWED: only owners and administrators may.',
  values: enumValues(runBlockers),
})

/** Amounts in credits. */
type PersonRuns = { blocker: RunBlocker | null; spent: number; held: number; left: number | null }

const PersonRunsType = builder.objectRef<PersonRuns>('PersonRuns')

builder.objectType(PersonRunsType, {
  description: 'What a person may run in the team, on its credits.',
  authScopes: { caller: true },
  fields: (t) => ({
    blocker: t.expose('blocker', {
      type: RunBlockerEnum,
      nullable: true,
      description: 'Why they may not start anything; null when they may.',
    }),
    spentTodayCredits: t.exposeFloat('spent', { description: 'What their runs were charged today in UTC.' }),
    heldCredits: t.exposeFloat('held', { description: 'What their running generations hold.' }),
    leftTodayCredits: t.exposeFloat('left', { nullable: true, description: 'What the daily ceiling leaves them. Null: no ceiling.' }),
  }),
})

builder.objectFields(TeamType, (t) => ({
  membersMayRun: t.exposeBoolean('membersMayRun', {
    description: 'Whether members, too, may start generations in the admin UI. Owners and administrators always may.',
  }),
  runDailyLimitCredits: t.float({
    nullable: true,
    description: 'What each person may spend there on a day in UTC, including held credits. Null: no ceiling.',
    resolve: ({ runDailyLimit }) => (runDailyLimit === null ? null : creditsOf(runDailyLimit)),
  }),
  personRuns: t.field({
    type: PersonRunsType,
    ...countsAsPage,
    description: 'What a person may run: for that person, owners and administrators.',
    args: { userId: t.arg.id({ required: true }) },
    authScopes: ({ id }, { userId }) => allow('personRuns.read', id, userId),
    resolve: async ({ id: teamId }, { userId }, { context }) => {
      const blocker = await runBlockerOf(context, { teamId, userId })
      const spending = await readPersonSpending(context, spenderOf({ kind: 'person', userId }, teamId))
      const left = spending?.dailyLeft ?? null
      return {
        blocker,
        spent: spending ? creditsOf(spending.spentToday) : 0,
        held: spending ? creditsOf(spending.heldOpen) : 0,
        left: left === null ? null : Math.max(0, creditsOf(left)),
      }
    },
  }),
}))

const SetTeamRunsInput = builder.inputType('SetTeamRunsInput', {
  fields: (t) => ({
    teamId: t.id({ required: true }),
    membersMayRun: t.boolean({ description: 'See `Team.membersMayRun`. Omitted: no change.' }),
    dailyLimitCredits: t.float({ description: 'See `Team.runDailyLimitCredits`. Null: no ceiling. Omitted: no change.' }),
  }),
})

builder.mutationField('setTeamRuns', (t) =>
  t.field({
    type: TeamType,
    description: 'Sets who may start generations in the admin UI, and what each person may spend there on a day.',
    args: { input: t.arg({ type: SetTeamRunsInput, required: true }) },
    authScopes: (_root, { input }) => allow('team.setRuns', input.teamId),
    resolve: (_root, { input }, { context }) => setTeamRuns(context, input),
  }),
)
