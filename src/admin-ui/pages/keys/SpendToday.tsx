import { Progress, Stack, Text, VisuallyHidden } from '@mantine/core'
import { Credits, formatCredits } from '../../ui/display/Credits.tsx'
import type { KeyRow } from './keyQueries.ts'

type Spend = Pick<
  KeyRow,
  | 'spentTodayCredits'
  | 'spentThisMonthCredits'
  | 'heldCredits'
  | 'dailyLimitCredits'
  | 'monthlyLimitCredits'
  | 'singleLimitCredits'
  | 'hints'
>

/** Spent and held credits of today against the ceilings: a bar, numbers, and a text for screen readers. */
export function SpendToday({
  spentTodayCredits: spent,
  spentThisMonthCredits: spentThisMonth,
  heldCredits: held,
  dailyLimitCredits: daily,
  monthlyLimitCredits: monthly,
  singleLimitCredits: single,
  hints,
}: Spend) {
  // A ceiling of 0 is no ceiling to fill: the key reads only.
  const spendsNothing = daily === 0 || monthly === 0
  const isNear = hints.includes('NEAR_DAILY_CEILING')
  return (
    <Stack gap={3} miw={150}>
      <VisuallyHidden>{describeSpend({ spent, spentThisMonth, held, daily, monthly, single })}</VisuallyHidden>
      <Text size="sm" aria-hidden className="tabular">
        {spendsNothing && spent === 0 ? 'None allowed' : <Credits amount={spent} />}
        {!!daily && (
          <Text span c="dimmed" size="sm">
            {' '}
            of <Credits amount={daily} />
          </Text>
        )}
      </Text>
      {!!daily && <SpendBar {...{ spent, held, daily, isNear }} />}
      {!!monthly && (
        <Text size="xs" c={hints.includes('NEAR_MONTHLY_CEILING') ? 'orange' : 'dimmed'} aria-hidden className="tabular">
          <Credits amount={spentThisMonth} /> of <Credits amount={monthly} /> this month
        </Text>
      )}
      <Held held={held} single={single} />
    </Stack>
  )
}

/** The share of the daily ceiling that is spent, and held. */
function SpendBar({ spent, held, daily, isNear }: { spent: number; held: number; daily: number; isNear: boolean }) {
  const shareOf = (part: number) => Math.min(100, (100 * part) / daily)
  return (
    <Progress.Root size={4} aria-hidden>
      <Progress.Section value={shareOf(spent)} color={isNear ? 'orange' : 'accent'} />
      <Progress.Section value={Math.min(100 - shareOf(spent), shareOf(held))} color={isNear ? 'orange.3' : 'accent.3'} />
    </Progress.Root>
  )
}

function Held({ held, single }: { held: number; single: number | null }) {
  if (held === 0 && single === null) return null
  return (
    <Text size="xs" c="dimmed" aria-hidden className="tabular" style={{ whiteSpace: 'nowrap' }}>
      {held > 0 && (
        <>
          <Credits amount={held} /> held
        </>
      )}
      {held > 0 && single !== null && ' · '}
      {single !== null && (
        <>
          <Credits amount={single} /> per generation
        </>
      )}
    </Text>
  )
}

type Amounts = { spent: number; spentThisMonth: number; held: number; daily: number | null; monthly: number | null; single: number | null }

function describeSpend({ spent, spentThisMonth, held, daily, monthly, single }: Amounts): string {
  const today = `${formatCredits(spent)} spent today and ${formatCredits(held)} held`
  const most = daily === null ? 'without a daily ceiling' : `of ${formatCredits(daily)} a day`
  const month = monthly === null ? '' : `, ${formatCredits(spentThisMonth)} spent of ${formatCredits(monthly)} a month`
  return `${today}, ${most}${month}${single === null ? '' : `, ${formatCredits(single)} at most for one generation`}.`
}
