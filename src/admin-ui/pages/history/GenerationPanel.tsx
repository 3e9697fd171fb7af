import { Alert, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton, RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { useOpenedAfterMount } from '../../ui/hooks/useOpenedAfterMount.ts'
import { SidePanel } from '../../ui/layout/SidePanel.tsx'
import { GenerationDetails } from './GenerationDetails.tsx'
import type { Generation } from './historyQuery.ts'
import { useGeneration } from './useGeneration.ts'

export type GenerationPanelProps = {
  generationId: string | undefined
  onClose(): void
  /** Called with the loaded generation, to update its row. */
  onLoaded(generation: Generation): void
}

/** One generation, beside the list or opened by URL. An unknown generation and one of another team look the same. */
export function GenerationPanel({ generationId, onClose, onLoaded }: GenerationPanelProps) {
  // Kept while the panel closes.
  const [shownId, setShownId] = useState(generationId)
  if (generationId !== undefined && generationId !== shownId) setShownId(generationId)
  return (
    <SidePanel
      title="Generation"
      opened={useOpenedAfterMount(generationId !== undefined)}
      onClose={onClose}
      onClosed={() => setShownId(undefined)}
    >
      {shownId !== undefined && <GenerationById key={shownId} id={shownId} onLoaded={onLoaded} />}
    </SidePanel>
  )
}

/** The polling interval while the panel is open. */
const followSeconds = 2

function GenerationById({ id, onLoaded }: { id: string; onLoaded(generation: Generation): void }) {
  const { generation, failure, refresh } = useGeneration(id, { followSeconds })
  const notifyLoaded = useEffectEvent(onLoaded)
  useEffect(() => {
    if (generation) notifyLoaded(generation)
  }, [generation])

  if (generation) return <GenerationDetails generation={generation} onChanged={refresh} />
  if (!failure) {
    return (
      <>
        <BlockSkeleton height={280} />
        <RowsSkeleton rows={5} />
      </>
    )
  }
  if (['generation_not_found', 'access_denied'].includes(failure.code)) return <UnknownGeneration id={id} />
  return <ErrorNotice title="The generation could not be loaded" failure={failure} onRetry={refresh} />
}

function UnknownGeneration({ id }: { id: string }) {
  return (
    <Alert color="gray" title="No such generation">
      <Text size="sm">This team has no generation with the identifier</Text>
      <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {id}
      </Text>
    </Alert>
  )
}
