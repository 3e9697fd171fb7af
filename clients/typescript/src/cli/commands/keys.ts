import type { Key, Operations } from '../../openapi.ts'
import type { Command, Invocation } from '../command.ts'
import { connect } from '../connect.ts'
import { serviceOptions } from '../options.ts'
import { writeTable } from '../table.ts'
import { UsageError } from '../usageError.ts'

type NewKey = Operations['issueKey']['body']
type Settings = Omit<Operations['updateKey']['body'], 'name'>

const creditsMax = 1_000_000_000

/** Manages the keys of the team. */
export const keys: Command = {
  name: 'keys',
  usage: ['', 'issue <name>', 'update <keyId>', 'rotate <keyId>', 'revoke <keyId>'],
  summary: 'list, issue, change, rotate and revoke keys of the team',
  about:
    'Needs a key with the scope keys:write, which gives no more than its own scopes, ceilings and end. Columns: identifier, name, prefix, state, scopes, credits charged today, end. A new value is printed once.',
  options: {
    scope: { type: 'string', multiple: true, value: '<scope>', help: 'a scope of the new key, such as generations:read' },
    name: { type: 'string', value: '<name>', help: 'update: another name' },
    daily: { type: 'string', value: '<credits>', help: 'the daily ceiling; none removes it' },
    monthly: { type: 'string', value: '<credits>', help: 'the monthly ceiling; none removes it' },
    single: { type: 'string', value: '<credits>', help: 'the ceiling of one generation; none removes it' },
    expires: { type: 'string', value: '<moment>', help: 'the end, as 2027-01-31T18:00:00Z; none removes it' },
    'overlap-hours': { type: 'string', value: '<hours>', help: 'rotate: how long the present value still works; default: 0' },
    ...serviceOptions,
  },
  run: async (invocation) => {
    const [action = 'list', subject = ''] = invocation.given.arguments
    switch (action) {
      case 'list':
        return await listAll(invocation)
      case 'issue':
        return await issue(invocation)
      case 'update':
        return await update(invocation, subject)
      case 'rotate':
        return await rotate(invocation, subject)
      case 'revoke':
        return await revoke(invocation, subject)
      default:
        throw new UsageError('keys takes issue, update, rotate or revoke.')
    }
  },
}

async function listAll(invocation: Invocation): Promise<void> {
  const { output, context } = invocation
  const client = await connect(invocation)
  const found: Key[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.listKeys(cursor ? { cursor } : {}, { signal: context.interrupted })
    found.push(...page.items)
    cursor = page.nextCursor
  }
  if (output.isJson) for (const key of found) output.json(key)
  else writeTable(output, ['KEY', 'NAME', 'PREFIX', 'STATE', 'SCOPES', 'TODAY', 'EXPIRES'], found.map(rowOf))
}

function rowOf({ id, name, prefix, state, scopes, spentTodayCredits, expiresAt }: Key): string[] {
  return [id, name, prefix, state, scopes.join(','), String(spentTodayCredits), expiresAt ?? 'never']
}

async function issue(invocation: Invocation): Promise<void> {
  const { given, output, context } = invocation
  const [, name = ''] = given.named('action', 'name')
  const scopes = given.texts('scope') as NewKey['scopes']
  if (scopes.length === 0) throw new UsageError('issue takes one or more --scope.')
  const client = await connect(invocation)
  const issued = await client.issueKey({ name, scopes, ...settingsOf(invocation) }, { signal: context.interrupted })
  if (output.isJson) output.json(issued)
  else output.secret(issued.value)
}

async function update(invocation: Invocation, id: string): Promise<void> {
  const { given, output, context } = invocation
  given.named('action', 'keyId')
  const name = given.text('name')
  const client = await connect(invocation)
  const key = await client.updateKey(
    id,
    { ...(name === undefined ? {} : { name }), ...settingsOf(invocation) },
    { signal: context.interrupted },
  )
  if (output.isJson) output.json(key)
  else output.row(rowOf(key))
}

async function rotate(invocation: Invocation, id: string): Promise<void> {
  const { given, output, context } = invocation
  given.named('action', 'keyId')
  const overlapHours = given.number('overlap-hours', { min: 0, max: 168, whole: true }) ?? 0
  const client = await connect(invocation)
  const rotated = await client.rotateKey(id, { overlapHours }, { signal: context.interrupted })
  if (output.isJson) output.json(rotated)
  else output.secret(rotated.value)
}

async function revoke(invocation: Invocation, id: string): Promise<void> {
  const { given, output, context } = invocation
  given.named('action', 'keyId')
  const client = await connect(invocation)
  await client.revokeKey(id, { signal: context.interrupted })
  output.note(`The key ${id} is revoked.`)
}

function settingsOf({ given }: Pick<Invocation, 'given'>): Settings {
  const credits = (option: string) => (given.text(option) === 'none' ? null : given.number(option, { min: 0, max: creditsMax }))
  const expires = given.text('expires')
  const settings = {
    dailyLimitCredits: credits('daily'),
    monthlyLimitCredits: credits('monthly'),
    singleLimitCredits: credits('single'),
    expiresAt: expires === 'none' ? null : expires,
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}
