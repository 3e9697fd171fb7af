import { RingProgress, ThemeIcon } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import {
  IconAlertTriangle,
  IconBan,
  IconClock,
  IconCube,
  IconFileText,
  IconLoader,
  IconMusic,
  IconPhoto,
  IconVideo,
  type TablerIcon,
} from '@tabler/icons-react'
import { type CSSProperties, useState } from 'react'
import type { HistoryRow } from './historyQuery.ts'
import classes from './Preview.module.css'
import { resultPath } from './resultLinks.ts'

export const ofOutput: Record<HistoryRow['outputType'], TablerIcon> = {
  IMAGE: IconPhoto,
  VIDEO: IconVideo,
  AUDIO: IconMusic,
  MODEL3D: IconCube,
  TEXT: IconFileText,
}

export const ofState: Record<Exclude<HistoryRow['state'], 'READY'>, { icon: TablerIcon; color: string }> = {
  QUEUED: { icon: IconClock, color: 'gray' },
  RUNNING: { icon: IconLoader, color: 'blue' },
  FINALIZING: { icon: IconLoader, color: 'blue' },
  FAILED: { icon: IconAlertTriangle, color: 'red' },
  CANCELLED: { icon: IconBan, color: 'gray' },
}

/** A small preview of the result in a box of fixed size. Decorative: the text beside it has the same information. */
export function Preview({ row, size = 44 }: { row: HistoryRow; size?: number }) {
  const path = resultPath(row.generationId, row.result)
  const [failed, setFailed] = useState<string>()
  const style = { width: size === 44 ? 44 : '100%', height: size }
  if (row.state !== 'READY') return <Mark row={row} style={style} />
  const shows = path !== undefined && path !== failed
  return (
    <span className={classes.box} style={style} aria-hidden>
      {shows && row.outputType === 'IMAGE' && (
        <img src={`${path}?preview=1`} alt="" loading="lazy" decoding="async" className={classes.media} onError={() => setFailed(path)} />
      )}
      {shows && row.outputType === 'VIDEO' && <FirstFrame path={path} onError={() => setFailed(path)} />}
      {(!shows || !['IMAGE', 'VIDEO'].includes(row.outputType)) && <Symbol icon={ofOutput[row.outputType]} color="gray" />}
    </span>
  )
}

/** Loads a video only when it is visible, because browsers have no lazy loading for videos. */
export function FirstFrame({ path, onError }: { path: string; onError(): void }) {
  const { ref, inViewport } = useInViewport<HTMLVideoElement>()
  const [wasSeen, setSeen] = useState(false)
  if (inViewport && !wasSeen) setSeen(true)
  return (
    <video
      ref={ref}
      {...(wasSeen ? { src: `${path}#t=0.1`, onError } : {})}
      muted
      playsInline
      preload="metadata"
      tabIndex={-1}
      className={classes.media}
    />
  )
}

function Mark({ row: { state, progress }, style }: { row: HistoryRow; style: CSSProperties }) {
  if (state === 'READY') return null
  const { icon, color } = ofState[state]
  if (state === 'RUNNING' && progress !== null) {
    return (
      <span className={classes.box} style={style} aria-hidden>
        <RingProgress size={36} thickness={3} sections={[{ value: progress * 100, color: 'blue' }]} />
      </span>
    )
  }
  return (
    <span className={classes.box} style={style} aria-hidden>
      <Symbol icon={icon} color={color} />
    </span>
  )
}

function Symbol({ icon: Icon, color }: { icon: TablerIcon; color: string }) {
  return (
    <ThemeIcon variant="transparent" color={color} size={44}>
      <Icon size={20} stroke={1.5} />
    </ThemeIcon>
  )
}
