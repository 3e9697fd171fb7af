import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { type Client, useClient } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { showFailed } from '../../ui/feedback/notify.ts'
import { downloadCsv } from '../../ui/table/downloadCsv.ts'
import { type KeyOrFamily, keyOrFamilyVariables } from './KeyOrFamilyUsage.tsx'
import type { UsageKind } from './UsageFilters.tsx'
import { type Figures, fullDays, lineOf } from './usageFigures.ts'
import { DaysQuery, GroupsQuery, type KeyOrFamilyDay, KeyOrFamilyQuery } from './usageQueries.ts'
import { type DaySpan, momentsOf } from './usageSpan.ts'

const countNames = ['generations', 'ready', 'failed', 'cancelled', 'credits']
const countsOf = ({ generations, ready, failed, cancelled, creditsCharged }: Figures) => [
  generations,
  ready,
  failed,
  cancelled,
  creditsCharged,
]

type ExportUsageProps = { span: DaySpan; by: UsageKind; selection: KeyOrFamily | undefined; disabled: boolean }

/** Exports the whole table, including rows that the page does not show. */
export function ExportUsage({ span, by, selection, disabled }: ExportUsageProps) {
  const { id: team } = useTeam()
  const client = useClient()
  const [busy, setBusy] = useState(false)

  const save = async () => {
    setBusy(true)
    const moments = { team, ...momentsOf(span) }
    const fresh = { requestPolicy: 'network-only' } as const
    const fileName = `usage-by-${by}-${span.from}-${span.to}.csv`
    if (selection) await exportKeyOrFamily(client, { team, selection, span })
    else if (by === 'day') {
      const { data, error } = await client.query(DaysQuery, moments, fresh).toPromise()
      if (error) showFailed('The usage could not be exported', failureOf(error))
      else
        downloadCsv(
          fileName,
          ['day', ...countNames],
          fullDays(data?.team?.usage ?? [], span).map((day) => [day.day, ...countsOf(day)]),
        )
    } else {
      const groups = { ...moments, by: by === 'key' ? 'KEY' : 'FAMILY', split: by === 'key' ? 'KEY' : 'FAMILY' } as const
      const { data, error } = await client.query(GroupsQuery, groups, fresh).toPromise()
      const lines = (data?.team?.usage ?? []).map(lineOf)
      if (error) showFailed('The usage could not be exported', failureOf(error))
      else if (by === 'family')
        downloadCsv(
          fileName,
          ['family', ...countNames],
          lines.map((line) => [line.name, ...countsOf(line)]),
        )
      else
        downloadCsv(
          fileName,
          ['key', 'key id', 'prefix', ...countNames],
          lines.map((line) => [line.name, line.prefix === undefined ? '' : line.id, line.prefix, ...countsOf(line)]),
        )
    }
    setBusy(false)
  }

  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={busy}
      disabled={disabled}
      onClick={() => void save()}
    >
      Export CSV
    </Button>
  )
}

async function exportKeyOrFamily(
  client: Client,
  { team, selection, span }: { team: string; selection: KeyOrFamily; span: DaySpan },
): Promise<void> {
  const variables = { team, ...keyOrFamilyVariables(selection, span) }
  const { data, error } = await client.query(KeyOrFamilyQuery, variables, { requestPolicy: 'network-only' }).toPromise()
  if (error) return showFailed('The usage could not be exported', failureOf(error))
  downloadCsv(
    `usage-of-${'key' in selection ? selection.key : selection.family}-${span.from}-${span.to}.csv`,
    [
      'day',
      ...countNames,
      'median seconds',
      'p95 seconds',
      'median queue seconds',
      'p95 queue seconds',
      'median run seconds',
      'p95 run seconds',
    ],
    (data?.team?.dailyUsage ?? []).map((day) => [day.day, ...countsOf(day), ...secondsOf(day)]),
  )
}

function secondsOf(day: KeyOrFamilyDay): (number | null)[] {
  const { medianSeconds, p95Seconds, medianQueueSeconds, p95QueueSeconds, medianRunSeconds, p95RunSeconds } = day
  return [medianSeconds, p95Seconds, medianQueueSeconds, p95QueueSeconds, medianRunSeconds, p95RunSeconds]
}
