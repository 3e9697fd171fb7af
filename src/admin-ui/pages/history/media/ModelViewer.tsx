import { Alert, Button, Group, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { DownloadButton } from '../DownloadButton.tsx'
import { formatBytes } from '../generationLabels.ts'
import { ModelTooLarge, modelLimits } from './checkModel.ts'
import classes from './Media.module.css'
import { type ModelScene, openModelScene } from './modelScene.ts'

export type ModelViewerProps = { path: string; mimeType: string; sizeBytes: number; name: string; onError(): void }

/** Larger models are loaded on request. */
const autoRenderBytesMax = 30_000_000

type Stage = 'loading' | 'drawn' | 'unsupported' | 'tooLarge'

/** A 3D model that can be rotated by pointer, touch and arrow keys. */
export function ModelViewer({ path, mimeType, sizeBytes, name, onError }: ModelViewerProps) {
  const [isRequested, setRequested] = useState(sizeBytes <= autoRenderBytesMax)
  if (isRequested) return <DrawnModel path={path} mimeType={mimeType} name={name} onError={onError} />
  return (
    <Group>
      <Button variant="default" size="xs" onClick={() => setRequested(true)}>
        Show the model ({formatBytes(sizeBytes)})
      </Button>
    </Group>
  )
}

function DrawnModel({ path, mimeType, name, onError }: Omit<ModelViewerProps, 'sizeBytes'>) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const viewport = useRef<HTMLDivElement>(null)
  const scene = useRef<ModelScene>(undefined)
  const [stage, setStage] = useState<Stage>('loading')
  const notLoaded = useEffectEvent(onError)
  useEffect(() => {
    const unmount = new AbortController()
    const draw = async (element: HTMLCanvasElement) => {
      const response = await fetch(path, { signal: unmount.signal }).catch(() => undefined)
      const content = response?.ok ? await response.arrayBuffer().catch(() => undefined) : undefined
      if (unmount.signal.aborted) return
      if (content === undefined) return notLoaded()
      try {
        const opened = await openModelScene(element, { content, mimeType, limits: modelLimits.viewer })
        if (unmount.signal.aborted) return opened.close()
        scene.current = opened
        setStage('drawn')
      } catch (error) {
        // Otherwise the browser cannot draw 3D models, the file is broken, or it needs unsupported extensions.
        setStage(error instanceof ModelTooLarge ? 'tooLarge' : 'unsupported')
      }
    }
    if (canvas.current) void draw(canvas.current)
    return () => {
      unmount.abort()
      scene.current?.close()
      scene.current = undefined
    }
  }, [path, mimeType])

  useEffect(() => {
    const element = viewport.current
    const onKeyDown = (event: KeyboardEvent) => {
      const action = keyActions[event.key]
      if (!action || !scene.current) return
      event.preventDefault()
      action(scene.current)
    }
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [])

  if (stage === 'unsupported' || stage === 'tooLarge') return <NotShown path={path} isTooLarge={stage === 'tooLarge'} />
  return (
    <div>
      <div
        className={classes.stage}
        role="application"
        aria-label={`3D model: ${name}`}
        aria-describedby="model-keys"
        aria-busy={stage === 'loading'}
        tabIndex={0}
        ref={viewport}
      >
        <canvas ref={canvas} className={classes.canvas} aria-hidden />
      </div>
      <Text size="xs" c="dimmed" mt={4} id="model-keys">
        {stage === 'loading' ? 'Loading the model…' : <Controls />}
      </Text>
    </div>
  )
}

function Controls() {
  return (
    <>
      Drag <span className="keyboard-hint">or use the arrow keys </span>to rotate.
      <span className="keyboard-hint"> Use the wheel or + and − to zoom.</span>
    </>
  )
}

function NotShown({ path, isTooLarge }: { path: string; isTooLarge: boolean }) {
  return (
    <Alert color="gray" variant="light" title="This model cannot be shown here" role="alert">
      <Text size="sm" mb="sm">
        {isTooLarge
          ? 'Its scene has more parts, vertices or texture pixels than a browser can safely draw.'
          : 'The browser cannot read or draw the file.'}{' '}
        Download it to open it in a program for 3D models.
      </Text>
      <DownloadButton path={path} />
    </Alert>
  )
}

const rotationStep = Math.PI / 12

const keyActions: Record<string, (scene: ModelScene) => void> = {
  ArrowLeft: (scene) => scene.turn(-rotationStep, 0),
  ArrowRight: (scene) => scene.turn(rotationStep, 0),
  ArrowUp: (scene) => scene.turn(0, -rotationStep),
  ArrowDown: (scene) => scene.turn(0, rotationStep),
  '+': (scene) => scene.approach(0.85),
  '-': (scene) => scene.approach(1 / 0.85),
}
