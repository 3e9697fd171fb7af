import { Button, Group, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatBytes } from '../generationLabels.ts'
import classes from './Media.module.css'
import { type ModelScene, openModelScene } from './modelScene.ts'

export type ModelViewerProps = { path: string; mimeType: string; sizeBytes: number; name: string; onError(): void }

/** Larger models are loaded on request. */
const autoRenderBytesMax = 30_000_000

type Stage = 'loading' | 'drawn' | 'undrawable'

/** A 3D model that can be rotated by pointer, touch and arrow keys. */
export function ModelViewer({ path, mimeType, sizeBytes, name, onError }: ModelViewerProps) {
  const [wanted, setWanted] = useState(sizeBytes <= autoRenderBytesMax)
  if (wanted) return <DrawnModel path={path} mimeType={mimeType} name={name} onError={onError} />
  return (
    <Group>
      <Button variant="default" size="xs" onClick={() => setWanted(true)}>
        Show the model ({formatBytes(sizeBytes)})
      </Button>
    </Group>
  )
}

function DrawnModel({ path, mimeType, name, onError }: Omit<ModelViewerProps, 'sizeBytes'>) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const stand = useRef<HTMLDivElement>(null)
  const scene = useRef<ModelScene>(undefined)
  const [stage, setStage] = useState<Stage>('loading')
  const notLoaded = useEffectEvent(onError)
  useEffect(() => {
    const leaving = new AbortController()
    const draw = async (element: HTMLCanvasElement) => {
      const response = await fetch(path, { signal: leaving.signal }).catch(() => undefined)
      const content = response?.ok ? await response.arrayBuffer().catch(() => undefined) : undefined
      if (leaving.signal.aborted) return
      if (content === undefined) return notLoaded()
      try {
        const opened = await openModelScene(element, { content, mimeType })
        if (leaving.signal.aborted) return opened.close()
        scene.current = opened
        setStage('drawn')
      } catch {
        // The browser cannot draw it, or the file needs unsupported extensions.
        setStage('undrawable')
      }
    }
    if (canvas.current) void draw(canvas.current)
    return () => {
      leaving.abort()
      scene.current?.close()
      scene.current = undefined
    }
  }, [path, mimeType])

  useEffect(() => {
    const element = stand.current
    const press = (event: KeyboardEvent) => {
      const turn = keys[event.key]
      if (!turn || !scene.current) return
      event.preventDefault()
      turn(scene.current)
    }
    element?.addEventListener('keydown', press)
    return () => element?.removeEventListener('keydown', press)
  }, [])

  if (stage === 'undrawable') return <Text size="sm">This model cannot be shown here. Download the file to open it.</Text>
  return (
    <div>
      <div
        className={classes.stage}
        role="application"
        aria-label={`3D model: ${name}`}
        aria-describedby="model-keys"
        aria-busy={stage === 'loading'}
        tabIndex={0}
        ref={stand}
      >
        <canvas ref={canvas} className={classes.canvas} aria-hidden />
      </div>
      <Text size="xs" c="dimmed" mt={4} id="model-keys">
        {stage === 'loading' ? 'Loading the model…' : 'Drag or use the arrow keys to rotate. Use the wheel or + and − to zoom.'}
      </Text>
    </div>
  )
}

const step = Math.PI / 12

const keys: Record<string, (scene: ModelScene) => void> = {
  ArrowLeft: (scene) => scene.turn(-step, 0),
  ArrowRight: (scene) => scene.turn(step, 0),
  ArrowUp: (scene) => scene.turn(0, -step),
  ArrowDown: (scene) => scene.turn(0, step),
  '+': (scene) => scene.approach(0.85),
  '-': (scene) => scene.approach(1 / 0.85),
}
