import { creditsOf, hundredths } from '../../contract/hundredths.ts'
import { limits } from '../../contract/limits.ts'
import { resultFileName } from '../../contract/resultFileName.ts'
import { presentFile } from '../../contract/shapes/file.ts'
import { listKeys } from '../../domain/access/keys/listKeys.ts'
import { loadUsers } from '../../domain/access/people/users.ts'
import { accountIdOf } from '../../domain/access/spender.ts'
import { listMemberships } from '../../domain/access/teams/memberships.ts'
import { listAudit } from '../../domain/audit/listAudit.ts'
import type { Context } from '../../domain/context.ts'
import { listLedger } from '../../domain/credits/listLedger.ts'
import { usageOf } from '../../domain/credits/usageOf.ts'
import { listOwnedFiles, storedResults } from '../../domain/exports/ownedMedia.ts'
import { listGenerations } from '../../domain/generations/history/listGenerations.ts'
import type { Team } from '../../entities/Team.ts'
import type { Medium } from './exportMedia.ts'
import { exportedAlertSubscriptions, exportedDeliveries, exportedWebhooks } from './exportWebhooks.ts'
import { keyedPages } from './keyedPages.ts'

export type Exported = { team: Team; addMedia(media: readonly Medium[]): Promise<void> }
type Kind = (inside: Context, exported: Exported) => AsyncIterable<object[]>

const dayMs = 86_400_000
const credits = (amount: number | null) => (amount === null ? null : creditsOf(hundredths(amount)))

/** The content of an export by file name, in pages of lines. Each list comes from the domain, for one team. */
export const exportKinds: Readonly<Record<string, Kind>> = {
  generations: exportedGenerations,
  files: exportedFiles,
  ledger: (inside, { team: { id } }) =>
    keyedPages(
      (window) => listLedger(inside, accountIdOf(id), window),
      (line) => line.id,
      ({ amount, ...line }) => ({ ...line, credits: credits(amount) }),
    ),
  usage: exportedUsage,
  keys: (inside, { team: { id: teamId } }) =>
    keyedPages(
      (window) => listKeys(inside, { teamId }, window),
      (key) => key.id,
      ({ id, name, prefix, scopes, userId, createdAt, lastUsedAt, expiresAt, revokedAt, ...key }) => ({
        id,
        name,
        prefix,
        scopes,
        userId,
        createdAt,
        lastUsedAt,
        expiresAt,
        revokedAt,
        dailyLimitCredits: credits(key.dailyLimit),
        monthlyLimitCredits: credits(key.monthlyLimit),
        singleLimitCredits: credits(key.singleLimit),
        confirmAboveCredits: credits(key.confirmAbove),
      }),
    ),
  webhooks: (inside, { team }) => exportedWebhooks(inside, team.id),
  alerts: (inside, { team }) => exportedAlertSubscriptions(inside, team.id),
  deliveries: (inside, { team }) => exportedDeliveries(inside, team.id),
  members: exportedMembers,
  audit: (inside, { team: { id: teamId } }) =>
    keyedPages(
      (window) => listAudit(inside, { teamId }, window),
      (entry) => entry.place,
      ({ at, place: _place, ...entry }) => ({ ...entry, time: at }),
    ),
}

async function* exportedGenerations(inside: Context, { team: { id: ownerId }, addMedia }: Exported): AsyncGenerator<object[]> {
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await listGenerations(inside, { ownerId }, { cursor, limit: 50 })
    const ids = items.map(({ generationId }) => generationId)
    const media = (await storedResults(inside, { ownerId, ids })).map(({ id, storageKey, mimeType, ...rest }) => ({
      ...rest,
      id,
      key: storageKey,
      path: `media/${resultFileName(id, mimeType)}`,
    }))
    await addMedia(media)
    const paths = new Map(media.map(({ id, path }) => [id, path]))
    // A link would work for every reader of the export, and expire; the path does not.
    yield items.map(({ result, ...item }) => ({
      ...item,
      ...(result ? { result: result.url ? { ...result, url: paths.get(item.generationId) ?? null, urlExpiresAt: null } : result } : {}),
    }))
    if (nextCursor === null) return
    cursor = nextCursor
  }
}

async function* exportedFiles(inside: Context, { team: { id: ownerId }, addMedia }: Exported): AsyncGenerator<object[]> {
  const limit = 200
  for (let after: string | undefined; ; ) {
    const files = await listOwnedFiles(inside, { ownerId, after, limit })
    const ready = files.filter(({ state }) => state === 'ready')
    await addMedia(
      ready.map(({ id, storageKey: key, mimeType, sizeBytes, sha256 }) => {
        return { id, key, path: `media/${resultFileName(id, mimeType)}`, sizeBytes: Number(sizeBytes), sha256 }
      }),
    )
    yield files.map((file) => presentFile(file, inside.docUrls))
    if (files.length < limit) return
    after = files.at(-1)?.id
  }
}

async function* exportedUsage(inside: Context, { team }: Exported): AsyncGenerator<object[]> {
  const owner = { accountId: accountIdOf(team.id), ownerId: team.id }
  const end = inside.clock.now().getTime()
  for (let from = Math.floor(team.createdAt.getTime() / dayMs) * dayMs; from <= end; from += limits.usageDays * dayMs) {
    const to = from + limits.usageDays * dayMs
    const days = await usageOf(inside, owner, { by: 'day', from: new Date(from), to: new Date(to) })
    yield days.map(({ group, charged, held, ...counts }) => ({
      day: group,
      ...counts,
      creditsCharged: credits(charged),
      creditsHeld: credits(held),
    }))
  }
}

async function* exportedMembers(inside: Context, { team }: Exported): AsyncGenerator<object[]> {
  const pages = keyedPages(
    (window) => listMemberships(inside, { teamId: team.id }, window),
    ({ userId }) => userId,
    (member) => member,
  )
  for await (const members of pages) {
    const people = await loadUsers(
      inside,
      members.map(({ userId }) => userId),
    )
    const byId = new Map(people.map((person) => [person.id, person]))
    yield members.map(({ userId, role, createdAt }) => {
      const person = byId.get(userId)
      return { userId, name: person?.name ?? null, email: person?.email ?? null, role, createdAt }
    })
  }
}
