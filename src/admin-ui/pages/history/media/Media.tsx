import { Alert, Button, Center, Loader, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { Moment } from '../../../ui/display/Moment.tsx'
import { FormDialog } from '../../../ui/form/FormDialog.tsx'
import type { Generation } from '../historyQuery.ts'
import { PromptText } from '../PromptText.tsx'
import { dropLink, resultPath } from '../resultLinks.ts'
import classes from './Media.module.css'

/** Loaded on demand, because the 3D code is large. */
const ModelViewer = lazy(async () => ({ default: (await import('./ModelViewer.tsx')).ModelViewer }))

/** When two links fail within this time, expiry is not the reason. */
const retryWindowMs = 30_000
const drawn = new Set(['model/gltf-binary', 'model/obj'])

/** The result in full size. `onRefresh` reloads the generation, and with it the link. `large`: as high as the window allows. */
export function Media({ generation, onRefresh, large = false }: { generation: Generation; onRefresh(): void; large?: boolean }) {
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
  return (
    <div className={large ? classes.large : undefined}>
      {shown[generation.outputType] || <Text size="sm">This file type cannot be shown here. Download the file to open it.</Text>}
    </div>
  )
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

type PlayerProps = {
  kind: 'video' | 'audio'
  path: string
  name: string
  width: number | null
  height: number | null
  onError(): void
}

/** A video or audio player with the browser's controls. It keeps its position when its link is replaced. */
function Player({ kind: Kind, path, name, width, height, onError }: PlayerProps) {
  const place = useRef({ seconds: 0, plays: false })
  const [failedAt, setFailedAt] = useState<number>()
  const remember = (element: HTMLMediaElement) => {
    if (element.error === null) place.current = { seconds: element.currentTime, plays: !element.paused }
  }
  return (
    <Kind
      key={path}
      src={path}
      controls
      preload="metadata"
      aria-label={`Result: ${name}`}
      {...(Kind === 'video' ? { playsInline: true, width: width ?? undefined, height: height ?? undefined } : {})}
      className={Kind === 'video' ? classes.fitted : classes.audio}
      onTimeUpdate={(event) => remember(event.currentTarget)}
      onError={() => {
        setFailedAt(place.current.seconds)
        onError()
      }}
      onLoadedMetadata={({ currentTarget }) => {
        if (failedAt === undefined) return
        currentTarget.currentTime = failedAt
        if (place.current.plays) void currentTarget.play().catch(() => undefined)
      }}
    />
  )
}

type ZoomableImageProps = {
  path: string
  name: string
  width: number | null
  height: number | null
  onError(): void
}

/** An image as wide as the panel. A click shows it in full size. */
function ZoomableImage({ path, name, width, height, onError }: ZoomableImageProps) {
  const [opened, { open, close }] = useDisclosure(false)
  const size = { width: width ?? undefined, height: height ?? undefined }
  const alt = `Result: ${name}`
  return (
    <>
      <UnstyledButton className={classes.zoomer} aria-label="Show in full size" onClick={open}>
        <img src={path} alt={alt} {...size} className={classes.fitted} onError={onError} />
      </UnstyledButton>
      <FormDialog opened={opened} onClose={close} title="Full size" fullScreen>
        <div className={classes.zoomed} onClick={close} role="presentation">
          <img src={path} alt={alt} {...size} className={classes.full} />
        </div>
      </FormDialog>
    </>
  )
}
