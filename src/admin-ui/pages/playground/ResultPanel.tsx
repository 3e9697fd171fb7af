import { Box, SimpleGrid, Title } from '@mantine/core'
import { IconPhotoSpark } from '@tabler/icons-react'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ResultCard, type ResultCardProps } from './ResultCard.tsx'

type ResultPanelProps = Omit<ResultCardProps, 'id' | 'comparedWith' | 'onClose'> & {
  /** The shown generation, and the one beside it. */
  ids: readonly string[]
  onClose(id: string): void
}

/** The generation that was started last or chosen below, alone or beside another one. */
export function ResultPanel({ ids, onClose, ...card }: ResultPanelProps) {
  return (
    <Box component="section" aria-labelledby="playground-result">
      <Title order={2} id="playground-result" mb="xs">
        Result
      </Title>
      {ids.length === 0 ? (
        <EmptyState icon={IconPhotoSpark} title="Nothing yet">
          {card.mayRun ? 'Results appear here. A run costs at most the shown price.' : 'Choose an earlier run to see its result.'}
        </EmptyState>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: ids.length }} spacing="md">
          {ids.map((id) => (
            <ResultCard key={id} id={id} {...card} comparedWith={ids.find((other) => other !== id)} onClose={() => onClose(id)} />
          ))}
        </SimpleGrid>
      )}
    </Box>
  )
}
