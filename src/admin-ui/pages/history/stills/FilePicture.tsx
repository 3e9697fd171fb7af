import { useInViewport } from '@mantine/hooks'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { drawVideoFrame } from './drawVideoFrame.ts'
import { drawWaveform, waveformLimits } from './drawWaveform.ts'
import classes from './FilePicture.module.css'
import { FileRefused } from './readFile.ts'
import { type DrawStill, drawnStill, requestStill } from './stills.ts'
import type { RetriedLink } from './useRetriedLink.ts'

/** A result or an uploaded file. `id`: of the generation or the file. */
export type PicturedFile = {
  id: string
  type: 'IMAGE' | 'VIDEO' | 'AUDIO' | 'MODEL3D' | 'TEXT'
  mimeType: string | null
  sizeBytes: number | null
  durationSeconds: number | null
}

type FilePictureProps = { file: PicturedFile; link: RetriedLink; alt: string; children: ReactNode }

/** The small picture of a file, or `children` where there is none. The server renders images and WAV files, and this browser the others. */
export function FilePicture({ file, link: { path, attempt, onFailed }, alt, children }: FilePictureProps) {
  const { id, type, mimeType } = file
  if (path === undefined) return children
  const className = type === 'AUDIO' ? classes.wave : classes.media
  if (type === 'IMAGE' || mimeType === 'audio/wav')
    return (
      <img
        key={attempt}
        src={`${path}?preview=1`}
        alt={alt}
        loading="lazy"
        decoding="async"
        className={className}
        onError={() => onFailed(new FileRefused())}
      />
    )
  const draw = drawOf(file, path)
  if (!draw) return children
  return (
    <Still key={`${id} ${attempt}`} id={id} draw={draw} alt={alt} className={className} onFailed={onFailed}>
      {children}
    </Still>
  )
}

const modelBytesMax = 8_000_000

/** How this browser draws a file: undefined when it cannot, or the file is too large for a list. */
function drawOf({ type, mimeType, sizeBytes, durationSeconds }: PicturedFile, path: string): DrawStill | undefined {
  const isWithin = (bytesMax: number) => sizeBytes !== null && sizeBytes <= bytesMax
  switch (type) {
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

type StillProps = {
  id: string
  draw: DrawStill
  alt: string
  className: string | undefined
  children: ReactNode
  onFailed(error: unknown): void
}

/** Drawn when it is visible, and not before. */
function Still({ id, draw, alt, className, children, onFailed }: StillProps) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>()
  const [url, setUrl] = useState(() => drawnStill(id))
  const request = useEffectEvent(() => requestStill({ id, draw, onDrawn: setUrl, onFailed }))
  const isWanted = inViewport && url === undefined
  useEffect(() => (isWanted ? request() : undefined), [isWanted])
  if (url !== undefined) return <img src={url} alt={alt} className={className} />
  return (
    <span ref={ref} className={classes.waiting}>
      {children}
    </span>
  )
}
