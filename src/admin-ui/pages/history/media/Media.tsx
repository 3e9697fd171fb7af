import { Alert, Button, Center, Loader, Text } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { Moment } from '../../../ui/display/Moment.tsx'
import type { Generation } from '../historyQuery.ts'
import { PromptText } from '../PromptText.tsx'
import { dropLink, resultPath } from '../resultLinks.ts'
import classes from './Media.module.css'
import { Player } from './Player.tsx'
import { ZoomableImage } from './ZoomableImage.tsx'

/** Comes with what draws in three dimensions, which nobody loads to look at a picture. */
const ModelViewer = lazy(async () => ({ default: (await import('./ModelViewer.tsx')).ModelViewer }))

/** Two links that fail within this time fail for another reason than age. */
const retryWindowMs = 30_000
const drawn = new Set(['model/gltf-binary', 'model/obj'])

/** What was made, large. `onRefresh` asks for it anew, and with it for a link that lives. */
export function Media({ generation, onRefresh }: { generation: Generation; onRefresh(): void }) {
  const { generationId, result, prompt } = generation
  const [failed, setFailed] = useState<string>()
  const failedAt = useRef(0)
  if (!result) return null
  if (result.deletedAt !== null) return <Deleted at={result.deletedAt} />
  if (result.text !== null) return <PromptText label="Result" text={result.text} />
  const path = resultPath(generationId, result)
  if (path === undefined) return <StoredInEditor source={generation.source} />
  const refresh = () => {
    dropLink(generationId, path)
    onRefresh()
  }
  // It may be the link that has died of age: another is asked for before anybody is told.
  const onError = () => {
    const failsAgain = Date.now() - failedAt.current < retryWindowMs
    failedAt.current = Date.now()
    if (failsAgain) setFailed(path)
    else refresh()
  }
  if (failed === path) return <NotLoaded onRetry={refresh} />
  const name = prompt || 'Result'
  const shown: Partial<Record<Generation['outputType'], ReactNode>> = {
    IMAGE: <ZoomableImage path={path} name={name} width={result.width} height={result.height} onError={onError} />,
    VIDEO: <Player kind="video" path={path} name={name} width={result.width} height={result.height} onError={onError} />,
    AUDIO: <Player kind="audio" path={path} name={name} width={null} height={null} onError={onError} />,
    MODEL3D: drawn.has(result.mimeType ?? '') && (
      <Suspense fallback={<Drawing />}>
        <ModelViewer path={path} mimeType={result.mimeType ?? ''} sizeBytes={result.sizeBytes ?? 0} name={name} onError={onError} />
      </Suspense>
    ),
  }
  return shown[generation.outputType] || <Text size="sm">This kind of file cannot be shown here. Download it to open it elsewhere.</Text>
}

function Drawing() {
  return (
    <Center className={classes.stage}>
      <Loader size="sm" aria-label="Loading" />
    </Center>
  )
}

function Deleted({ at }: { at: string }) {
  return (
    <Alert color="gray" variant="light">
      <Text size="sm">
        Result deleted <Moment at={at} />
      </Text>
    </Alert>
  )
}

function StoredInEditor({ source }: { source: Generation['source'] }) {
  const words = source === 'EDITOR' ? 'The file stays in the editor, where it was made.' : 'The file is gone: somebody deleted it.'
  return (
    <Alert color="gray" variant="light">
      <Text size="sm">{words}</Text>
    </Alert>
  )
}

function NotLoaded({ onRetry }: { onRetry(): void }) {
  return (
    <Alert color="gray" variant="light" title="The file could not be loaded" role="alert">
      <Text size="sm">It may have been deleted, or access to the results of this team is closed.</Text>
      <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
        Try again
      </Button>
    </Alert>
  )
}
