import { useRef, useState } from 'react'
import classes from './Media.module.css'

export type PlayerProps = {
  kind: 'video' | 'audio'
  path: string
  name: string
  width: number | null
  height: number | null
  onError(): void
}

/** A video or audio player with the browser's controls. It keeps its position when its link is replaced. */
export function Player({ kind: Kind, path, name, width, height, onError }: PlayerProps) {
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
