import { Alert, Box, Button, Group, Stack, Table, Text } from '@mantine/core'
import { useId } from 'react'
import type { CurrentTeam } from '../../api/viewer.ts'
import { Credits, formatCredits } from '../../ui/display/Credits.tsx'
import { TextBadge } from '../../ui/display/TextBadge.tsx'
import { noCreditsText } from '../../ui/feedback/askOperator.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import type { Estimate } from './catalogQueries.ts'
import { formatRunSeconds } from './familyLabels.ts'
import { formatQuantity } from './formatPrice.ts'
import type { EstimateState } from './useEstimate.ts'

type EstimatePanelProps = { isAvailable: boolean; estimate: EstimateState; team: CurrentTeam }

/** The exact price of the request for the team, on demand. */
export function EstimatePanel({ isAvailable, estimate, team }: EstimatePanelProps) {
  const { result, failure, isAsking, ask } = estimate
  if (!isAvailable)
    return (
      <Text size="sm" c="dimmed">
        The family is locked. A start would be refused, so there is no estimate.
      </Text>
    )
  return (
    <Stack gap="sm" align="stretch">
      <Button loading={isAsking} onClick={() => void ask()}>
        Estimate
      </Button>
      <Box role="status">
        {result && <EstimateResult estimate={result} team={team} />}
        {!result && !failure && (
          <Text size="sm" c="dimmed">
            Shows the exact price of this request. It starts and holds nothing.
          </Text>
        )}
      </Box>
      {failure && <ErrorNotice title="This would be refused" failure={failure} />}
    </Stack>
  )
}

/** Reasons why a start would be refused now although the request is valid. */
const blockers: Record<string, string> = {
  insufficient_credits: noCreditsText,
  spend_limit_exceeded: 'It would exceed a ceiling of the key.',
  cost_above_limit: 'It costs more than the request allows.',
}

function EstimateResult({ estimate, team }: { estimate: Estimate; team: CurrentTeam }) {
  const { credits, creditsAvailable, sufficient, breakdown, expectedRunSeconds } = estimate
  const labelId = useId()
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="baseline" gap="xs">
        <Text fw={600} fz="lg" className="tabular">
          {formatCredits(credits)}
        </Text>
        <TextBadge word={sufficient ? 'Enough credits' : 'Not enough credits'} color={sufficient ? 'green' : 'red'} />
      </Group>
      <Text size="sm" c="dimmed" id={labelId}>
        {team.name} has {formatCredits(creditsAvailable)} available. The work usually takes {formatRunSeconds(expectedRunSeconds)}.
      </Text>
      <Table aria-label="Price calculation" verticalSpacing={4}>
        <Table.Tbody>
          {breakdown.map((line) => (
            <Table.Tr key={`${line.unit} ${line.quantity} ${line.credits}`}>
              <Table.Td pl={0}>{formatQuantity(line)}</Table.Td>
              <Table.Td pr={0} ta="right">
                <Credits amount={line.credits} unit />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {estimate.blockers.length > 0 && (
        <Alert color="red" title="A start would be refused now">
          {estimate.blockers.map((code) => (
            <Text key={code} size="sm">
              {blockers[code] ?? code}
            </Text>
          ))}
        </Alert>
      )}
    </Stack>
  )
}
