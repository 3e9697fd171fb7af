import { useInViewport } from '@mantine/hooks'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { HistoryRow } from '../historyQuery.ts'
import { drawVideoFrame } from './drawVideoFrame.ts'
import { drawWaveform, waveformLimits } from './drawWaveform.ts'
import classes from './ResultPicture.module.css'
import { FileRefused } from './readFile.ts'
import { type DrawStill, drawnStill, requestStill } from './stills.ts'
import { useRetriedLink } from './useRetriedLink.ts'

type Pictured = Pick<HistoryRow, 'generationId' | 'outputType'> & { result: Omit<NonNullable<HistoryRow['result']>, 'deletedAt'> | null }

/** The small picture of a finished generation, or `children` where there is none. Decorative. */
export function ResultPicture({ generation, children }: { generation: Pictured; children: ReactNode }) {
  const { generationId, outputType, result } = generation
  const { path, attempt, onFailed } = useRetriedLink(generation)
  if (!result || path === undefined) return children
  const className = outputType === 'AUDIO' ? classes.wave : classes.media
  if (outputType === 'IMAGE' || result.mimeType === 'audio/wav')
    return (
      <img
        key={attempt}
        src={`${path}?preview=1`}
        alt=""
        loading="lazy"
        decoding="async"
        className={className}
        onError={() => onFailed(new FileRefused())}
      />
    )
  const draw = drawOf(outputType, path, result)
  if (!draw) return children
  return (
    <Still key={`${generationId} ${attempt}`} id={generationId} draw={draw} className={className} onFailed={onFailed}>
      {children}
    </Still>
  )
}

const modelBytesMax = 8_000_000

/** How this browser draws a result: undefined when it cannot, or the file is too large for a list. */
function drawOf(outputType: Pictured['outputType'], path: string, result: NonNullable<Pictured['result']>): DrawStill | undefined {
  const { mimeType, sizeBytes, durationSeconds } = result
  const isWithin = (bytesMax: number) => sizeBytes !== null && sizeBytes <= bytesMax
  switch (outputType) {
    case 'VIDEO':
      return (signal) => drawVideoFrame(path, signal)
    case 'AUDIO':
      if (!isWithin(waveformLimits.bytesMax) || (durationSeconds ?? Infinity) > waveformLimits.secondsMax) return undefined
      return (signal) => drawWaveform(path, signal)
    case 'MODEL3D':
      if (!isWithin(modelBytesMax) || (mimeType !== 'model/gltf-binary' && mimeType !== 'model/obj')) return undefined
      return async (signal) => {
        const { drawModel } = await import('./drawModel.ts')
        return await drawModel(path, { mimeType, bytesMax: modelBytesMax, signal })
      }
    default:
      return undefined
  }
}

type StillProps = { id: string; draw: DrawStill; className: string | undefined; children: ReactNode; onFailed(error: unknown): void }

/** Drawn when it is visible, and not before. */
function Still({ id, draw, className, children, onFailed }: StillProps) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>()
  const [url, setUrl] = useState(() => drawnStill(id))
  const request = useEffectEvent(() => requestStill({ id, draw, onDrawn: setUrl, onFailed }))
  const isWanted = inViewport && url === undefined
  useEffect(() => (isWanted ? request() : undefined), [isWanted])
  if (url !== undefined) return <img src={url} alt="" className={className} />
  return (
    <span ref={ref} className={classes.waiting}>
      {children}
    </span>
  )
}
