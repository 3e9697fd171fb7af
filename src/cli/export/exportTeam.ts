import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { noProgress, type Progress, type ShowProgress } from '../../database/progress.ts'
import { requireTeam } from '../../domain/access/teams/teams.ts'
import type { Context } from '../../domain/context.ts'
import { readSnapshot } from '../../domain/exports/readSnapshot.ts'
import { recordExport } from '../../domain/exports/recordExport.ts'
import { version } from '../version.ts'
import { openExportFolder, type WrittenFile, writeLines, writeWhole } from './exportFolder.ts'
import { exportKinds } from './exportKinds.ts'
import { copyMedia, type Medium, type MediumLine } from './exportMedia.ts'

type MediaCount = { count: number; sizeBytes: number; lostCount: number; lost: MediumLine[] }
export type ExportManifest = { teamId: string; files: WrittenFile[]; media: MediaCount; complete: true }

/** The maximum of lost objects in the manifest; `media.jsonl` has all. */
const lostNamed = 1000
const mediaList = 'media.list'

/**
 * Exports a team's data into a folder: a file of JSON Lines for each kind, each from one snapshot; results and files below `media`; the
 * manifest last, so that a folder with a manifest is complete. After a crash, a new run writes the lines again and fetches only missing
 * media. Starts with an entry in the team's audit log.
 * Throws invalid_request for an unknown team, and a RangeError for a folder with other content.
 */
export async function exportTeam(context: Context, { teamId, folder, showProgress = noProgress }: ExportRequest): Promise<ExportManifest> {
  const team = await requireTeam(context, teamId, 'team')
  await openExportFolder(folder, team.id)
  await recordExport(context, team.id)
  const begunAt = context.clock.now()
  const files: WrittenFile[] = []
  let listedCount = 0
  const list = await open(join(folder, mediaList), 'w', 0o600)
  try {
    const addMedia = (media: readonly Medium[]) => {
      listedCount += media.length
      return list.writeFile(media.map((medium) => `${JSON.stringify(medium)}\n`).join(''))
    }
    for (const [kind, pages] of Object.entries(exportKinds)) {
      const lines = readSnapshot(context, (inside) => pages(inside, { team, addMedia }))
      const step = showProgress({ label: kind, unit: 'lines', total: undefined })
      files.push(await writeLines(folder, `${kind}.jsonl`, countedBy(lines, step)))
      step.end()
    }
  } finally {
    await list.close()
  }
  const media: MediaCount = { count: 0, sizeBytes: 0, lostCount: 0, lost: [] }
  const step = showProgress({ label: 'media', unit: 'objects', total: listedCount })
  const copied = countedBy(copyMedia(context.storage, { folder, list: mediaList }), step)
  files.push(await writeLines(folder, 'media.jsonl', counted(copied, media)))
  step.end()
  await rm(join(folder, mediaList))
  const { id, name, createdAt, planExpiresAt } = team
  const manifest = { teamId: id, team: { name, createdAt, planExpiresAt }, version, begunAt, endedAt: context.clock.now(), files, media }
  const whole = { ...manifest, complete: true as const }
  await writeWhole(folder, 'manifest.json', `${JSON.stringify(whole, null, 2)}\n`)
  return whole
}

type ExportRequest = { teamId: string; folder: string; showProgress?: ShowProgress }

async function* countedBy<Line>(pages: AsyncIterable<Line[]>, step: Progress): AsyncGenerator<Line[]> {
  for await (const page of pages) {
    step.add(page.length)
    yield page
  }
}

async function* counted(pages: AsyncIterable<MediumLine[]>, media: MediaCount): AsyncGenerator<MediumLine[]> {
  for await (const page of pages) {
    for (const line of page) {
      if (line.lost === undefined) {
        media.count += 1
        media.sizeBytes += line.sizeBytes
      } else {
        media.lostCount += 1
        if (media.lost.length < lostNamed) media.lost.push(line)
      }
    }
    yield page
  }
}
