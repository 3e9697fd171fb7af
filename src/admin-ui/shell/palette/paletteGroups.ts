import type { CurrentTeam } from '../../api/viewer.ts'
import { paths, teamScreens } from '../../paths.ts'
import { screensFor } from '../screensFor.ts'
import type { FoundAccess, FoundFamily, FoundGeneration, FoundMember } from './paletteQueries.ts'

/** A place that the palette opens. `to` is unique. `at`: the moment of a generation. */
export type PaletteItem = { to: string; label: string; detail?: string | undefined; at?: string }
export type PaletteGroup = { name: string; items: PaletteItem[] }

export type Found = {
  families?: readonly FoundFamily[] | undefined
  generations?: readonly FoundGeneration[] | undefined
  access?: FoundAccess | null | undefined
  members?: readonly FoundMember[] | undefined
}

const shownMax = 6

/** The places that match, grouped; groups without one are left out. Pages and families are compared here, the rest by the service. */
export function paletteGroups(team: Pick<CurrentTeam, 'id' | 'role'>, search: string, found: Found): PaletteGroup[] {
  const groups = [
    { name: 'Pages', items: pages(team, search) },
    { name: 'Keys', items: (found.access?.apiKeys.nodes ?? []).map((key) => keyItem(team.id, key)) },
    { name: 'Webhooks', items: (found.access?.webhookSubscriptions.nodes ?? []).map((webhook) => webhookItem(team.id, webhook)) },
    { name: 'Families', items: search === '' ? [] : families(team.id, search, found.families ?? []) },
    { name: 'Members', items: (found.members ?? []).map(({ user }) => memberItem(team.id, user)) },
    { name: 'Generations', items: uniqueById(found.generations ?? []).map((generation) => generationItem(team.id, generation)) },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

function pages({ id, role }: Pick<CurrentTeam, 'id' | 'role'>, search: string): PaletteItem[] {
  const screens = screensFor(role).map((screen) => ({
    to: paths.screen(id, screen),
    label: teamScreens[screen].name,
    detail: teamScreens[screen].group,
  }))
  return [...screens, { to: paths.account(id), label: 'Your account', detail: 'Account' }].filter(({ label }) => contains(label, search))
}

function families(team: string, search: string, all: readonly FoundFamily[]): PaletteItem[] {
  return all
    .filter(({ id, name }) => contains(name, search) || contains(id, search))
    .slice(0, shownMax)
    .map(({ id, name }) => ({ to: paths.family(team, id), label: name, detail: id }))
}

function keyItem(team: string, { id, name, prefix, state }: FoundAccess['apiKeys']['nodes'][number]): PaletteItem {
  const ended = state === 'LIVE' ? '' : ` · ${state.toLowerCase()}`
  return { to: paths.key(team, id), label: name, detail: `${prefix}…${ended}` }
}

function webhookItem(team: string, { id, address, paused }: FoundAccess['webhookSubscriptions']['nodes'][number]): PaletteItem {
  return { to: paths.webhook(team, id), label: address, detail: paused ? 'paused' : undefined }
}

function memberItem(team: string, { id, name, email }: FoundMember['user']): PaletteItem {
  return { to: paths.member(team, id), label: name, detail: email }
}

function generationItem(team: string, { generationId, familyId, prompt, reference, createdAt }: FoundGeneration): PaletteItem {
  const detail = [reference, familyId].filter((each) => each !== null && each !== '').join(' · ')
  return { to: paths.generation(team, generationId), label: prompt?.slice(0, 200) || generationId, detail, at: createdAt }
}

/** The search by identifier and the search by text may return the same generation. */
function uniqueById(generations: readonly FoundGeneration[]): FoundGeneration[] {
  return [...new Map(generations.map((each) => [each.generationId, each])).values()]
}

function contains(text: string, search: string): boolean {
  return text.toLowerCase().includes(search.toLowerCase())
}
