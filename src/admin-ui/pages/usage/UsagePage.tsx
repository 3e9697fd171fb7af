import { Stack } from '@mantine/core'
import { useState } from 'react'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { date, oneOf, useUrlFilters } from '../../ui/table/useUrlFilters.ts'
import { DaysUsage } from './DaysUsage.tsx'
import { ExportUsage } from './ExportUsage.tsx'
import { GroupsUsage } from './GroupsUsage.tsx'
import { LimitCards } from './LimitCards.tsx'
import { UsageFilters, usageKinds } from './UsageFilters.tsx'
import { spanError, spanOf } from './usageSpan.ts'

const day = (text: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? date(text) : undefined)
const kinds = { from: day, to: day, by: oneOf(...usageKinds) }

/** Usage, held credits, and the limits of the next start. Contract: docs/contract.md#pages. */
export function UsagePage() {
  const [filters, setFilters] = useUrlFilters(kinds)
  // The day is fixed when the page opens, so that the period does not change while it is read.
  const [now] = useState(() => Date.now())
  const span = spanOf(filters, now)
  const by = filters.by ?? 'day'
  const fault = spanError(span)
  return (
    <>
      <PageHeading
        title="Usage"
        description="Generations and credits of the team, by the day on which the generations ended."
        actions={<ExportUsage span={span} by={by} disabled={fault !== undefined} />}
      />
      <LimitCards />
      <UsageFilters span={span} by={by} fault={fault} now={now} onChange={setFilters} />
      {fault === undefined && (
        <Stack gap="lg">{by === 'day' ? <DaysUsage span={span} /> : <GroupsUsage key={by} span={span} by={by} />}</Stack>
      )}
    </>
  )
}
