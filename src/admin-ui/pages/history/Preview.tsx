import { RingProgress } from '@mantine/core'
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
import type { CSSProperties } from 'react'
import type { HistoryRow } from './historyQuery.ts'
import classes from './Preview.module.css'
import { ResultPicture } from './stills/ResultPicture.tsx'

export const ofOutput: Record<HistoryRow['outputType'], TablerIcon> = {
  IMAGE: IconPhoto,
  VIDEO: IconVideo,
  AUDIO: IconMusic,
  MODEL3D: IconCube,
  TEXT: IconFileText,
}

const ofState: Record<Exclude<HistoryRow['state'], 'READY'>, { icon: TablerIcon; color: string }> = {
  QUEUED: { icon: IconClock, color: 'gray' },
  RUNNING: { icon: IconLoader, color: 'blue' },
  FINALIZING: { icon: IconLoader, color: 'blue' },
  FAILED: { icon: IconAlertTriangle, color: 'red' },
  CANCELLED: { icon: IconBan, color: 'gray' },
}

/** A small preview of the result in a box of fixed size. Decorative: the text beside it has the same information. */
export function Preview({ row, size = 44 }: { row: HistoryRow; size?: number }) {
  const style = { width: size === 44 ? 44 : '100%', height: size }
  if (row.state !== 'READY') return <Mark row={row} style={style} />
  return (
    <span className={classes.box} style={style} aria-hidden>
      <ResultPicture generation={row}>
        <Symbol icon={ofOutput[row.outputType]} color="gray" />
      </ResultPicture>
    </span>
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
  return <Icon size={20} stroke={1.5} color={`var(--mantine-color-${color}-light-color)`} />
}
