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

/** What work came to, what is held, and what will stop the next start. Contract: docs/contract.md#pages. */
export function UsagePage() {
  const [filters, setFilters] = useUrlFilters(kinds)
  // A day that ends while the page is open changes nothing under the reader's eyes.
  const [now] = useState(() => Date.now())
  const span = spanOf(filters, now)
  const by = filters.by ?? 'day'
  const fault = spanError(span)
  return (
    <>
      <PageHeading
        title="Usage"
        description="What the team's generations came to, by the day on which they ended."
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
