import type { Page } from 'playwright-core'
import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import type { Services } from '../../../src/domain/context.ts'
import type { Role } from '../../../src/entities/Membership.ts'
import type { User } from '../../../src/entities/User.ts'
import type { TestApp } from '../app.ts'
import { aServiceContext, aTeam } from '../factories.ts'
import { aMember } from '../people/sessions.ts'
import { aBrowserPage, type PageOptions } from './browser.ts'

/** A team with an owner, an administrator who has issued two keys, and a member. */
export async function aFullTeam(services: Services) {
  const { team, user: owner } = await aTeam(services)
  const join = (role: Role): Promise<User> => aMember(services, { teamId: team.id, role })
  const [admin, member] = [await join('admin'), await join('member')]
  for (const name of ['render-bot', 'site'])
    await issueKey(aServiceContext(services), { teamId: team.id, userId: admin.id, name, scopes: ['generations:write'] })
  return { team, owner, admin, member, join }
}

/** The page Team for that person. */
export async function openTeamPage(app: TestApp, teamId: string, as: { id: string }, options: PageOptions = {}): Promise<Page> {
  const page = await aBrowserPage(app, { as, at: `/integrations/${teamId}/team`, ...options })
  await page.getByRole('table', { name: 'Members' }).waitFor()
  return page
}

type Named = { name: string }

export const roleOf = (page: Page, { name }: Named) => page.getByRole('combobox', { name: `Role of ${name}`, exact: true })

export async function chooseRole(page: Page, of: Named, role: string): Promise<void> {
  await roleOf(page, of).click()
  await page.getByRole('option', { name: role, exact: true }).click()
}

export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

export async function confirmDialog(page: Page, title: string, button: string): Promise<void> {
  await dialog(page, title).getByRole('button', { name: button, exact: true }).click()
  await dialog(page, title).waitFor({ state: 'detached' })
}
