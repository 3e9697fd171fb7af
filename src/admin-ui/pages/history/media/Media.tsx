import { Alert, Button, Center, Loader, Text } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { Moment } from '../../../ui/display/Moment.tsx'
import type { Generation } from '../historyQuery.ts'
import { PromptText } from '../PromptText.tsx'
import { dropLink, resultPath } from '../resultLinks.ts'
import classes from './Media.module.css'
import { Player } from './Player.tsx'
import { ZoomableImage } from './ZoomableImage.tsx'

/** Loaded on demand, because the 3D code is large. */
const ModelViewer = lazy(async () => ({ default: (await import('./ModelViewer.tsx')).ModelViewer }))

/** When two links fail within this time, expiry is not the reason. */
const retryWindowMs = 30_000
const drawn = new Set(['model/gltf-binary', 'model/obj'])

/** The result in full size. `onRefresh` reloads the generation, and with it the link. */
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
  // The link may have expired: request a new one before showing an error.
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
  return shown[generation.outputType] || <Text size="sm">This file type cannot be shown here. Download the file to open it.</Text>
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
  const words = source === 'EDITOR' ? 'The file is stored in the editor.' : 'The file was deleted.'
  return (
    <Alert color="gray" variant="light">
      <Text size="sm">{words}</Text>
    </Alert>
  )
}

function NotLoaded({ onRetry }: { onRetry(): void }) {
  return (
    <Alert color="gray" variant="light" title="The file could not be loaded" role="alert">
      <Text size="sm">It may have been deleted, or the results of this team are not accessible.</Text>
      <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
        Try again
      </Button>
    </Alert>
  )
}
