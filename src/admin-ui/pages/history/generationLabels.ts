import { formatDuration } from '../../ui/display/formatDuration.ts'
import type { sources } from './historyFilters.ts'
import type { Generation, HistoryRow } from './historyQuery.ts'

type State = HistoryRow['state']

const isOpenState: Record<State, boolean> = { QUEUED: true, RUNNING: true, FINALIZING: true, READY: false, FAILED: false, CANCELLED: false }

/** Whether something may still happen to it. */
export function isOpen({ state }: { state: State }): boolean {
  return isOpenState[state]
}

const sourceLabels: Record<(typeof sources)[number], string> = { REST: 'REST', MCP: 'Agent', EDITOR: 'Editor' }

/** Through which door it came. */
export function sourceLabel(source: (typeof sources)[number]): string {
  return sourceLabels[source]
}

/** Which of the family's variants, by its values on the axes: `pro`, `turbo · glb`. */
export function formatAxes(axes: unknown): string {
  return entriesOf(axes)
    .map(([, value]) => String(value))
    .join(' · ')
}

/** The members of a JSON object, in its order; none for anything else. */
export function entriesOf(json: unknown): [string, unknown][] {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.entries(json) : []
}

/** How long the work ran, or has run until `now`; undefined while it has not begun. */
export function runSeconds({ startedAt, finishedAt }: Pick<HistoryRow, 'startedAt' | 'finishedAt'>, now: number): number | undefined {
  if (startedAt === null) return undefined
  return Math.max(0, ((finishedAt === null ? now : Date.parse(finishedAt)) - Date.parse(startedAt)) / 1000)
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1e6) return `${Math.round(bytes / 1000)} kB`
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
}

/** What the file is like: `PNG · 512 × 512 · 120 kB`. */
export function describeFile(result: NonNullable<Generation['result']>): string {
  const { mimeType, width, height, durationSeconds, sizeBytes } = result
  const parts = [
    mimeType === null ? undefined : fileFormatLabel(mimeType),
    width === null || height === null ? undefined : `${width} × ${height}`,
    durationSeconds === null ? undefined : formatDuration(durationSeconds),
    sizeBytes === null ? undefined : formatBytes(sizeBytes),
  ]
  return parts.filter((part) => part !== undefined).join(' · ')
}

const formats: Record<string, string> = {
  'audio/mpeg': 'MP3',
  'model/gltf-binary': 'GLB',
  'model/obj': 'OBJ',
  'video/quicktime': 'MOV',
}

function fileFormatLabel(mimeType: string): string {
  return formats[mimeType] ?? mimeType.slice(mimeType.indexOf('/') + 1).toUpperCase()
}

const hintLabels: Record<string, string> = {
  change_content: 'Change the prompt or the input files: the same request will be refused the same way.',
  shorten_prompt: 'Shorten the prompt.',
  rewrite_prompt: 'Write the prompt another way, or use another model.',
  replace_images: 'Replace the input images.',
  fix_parameters: 'Hold the parameters and inputs against those of the family in the catalog, and mend the request.',
  resize_file: 'Use an input file of another size.',
  resize_image: 'Use an input image of another size.',
  reencode_image: 'Save the input image anew in a common format, such as PNG or JPEG, and upload it again.',
  choose_other_family: 'Choose another family: this model cannot do what was asked.',
  retry_later: 'Try again later, or choose another family.',
  top_up: 'Look at the credits before trying again.',
  retry: 'Start it again: the same request may pass.',
  none: 'There is nothing to do: this is the answer to a cancel.',
}

/** What to do about a failure, for people; nothing for a hint that is newer than this page. */
export function hintLabel(hint: string): string | undefined {
  return hintLabels[hint]
}

/** `maxLength` as people write it: `max length`. */
export function splitCamelCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
