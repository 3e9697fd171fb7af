import { formatDuration } from '../../ui/display/formatDuration.ts'
import type { sources } from './historyFilters.ts'
import type { Generation, HistoryRow } from './historyQuery.ts'

type State = HistoryRow['state']

const isOpenState: Record<State, boolean> = { QUEUED: true, RUNNING: true, FINALIZING: true, READY: false, FAILED: false, CANCELLED: false }

/** True while the generation may still change. */
export function isOpen({ state }: { state: State }): boolean {
  return isOpenState[state]
}

/** True for work that the editor recorded: it has no model and no price here. */
export function isRecorded({ source, modelId }: Pick<HistoryRow, 'source' | 'modelId'>): boolean {
  return source === 'EDITOR' && modelId === null
}

/** Whether the person may cancel the generation now: what they ran themselves, and as a manager everything. */
export function mayCancel(
  generation: Pick<Generation, 'state' | 'source' | 'modelId' | 'startedBy'>,
  { userId, mayManage }: { userId: string; mayManage: boolean },
): boolean {
  const { state, source, startedBy } = generation
  if ((state !== 'QUEUED' && state !== 'RUNNING') || isRecorded(generation)) return false
  return mayManage || (source === 'EDITOR' && startedBy?.userId === userId)
}

const sourceLabels: Record<(typeof sources)[number], string> = { REST: 'REST', MCP: 'Agent', EDITOR: 'Editor' }

/** The label of the source. */
export function sourceLabel(source: (typeof sources)[number]): string {
  return sourceLabels[source]
}

/** The variant by its axis values: `pro`, `turbo · glb`. */
export function formatAxes(axes: unknown): string {
  return entriesOf(axes)
    .map(([, value]) => String(value))
    .join(' · ')
}

/** The entries of a JSON object, in order; empty for other values. */
export function entriesOf(json: unknown): [string, unknown][] {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.entries(json) : []
}

/** The running time until the end or until `now`; undefined before the start. */
export function runSeconds({ startedAt, finishedAt }: Pick<HistoryRow, 'startedAt' | 'finishedAt'>, now: number): number | undefined {
  if (startedAt === null) return undefined
  return Math.max(0, ((finishedAt === null ? now : Date.parse(finishedAt)) - Date.parse(startedAt)) / 1000)
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1e6) return `${Math.round(bytes / 1000)} kB`
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
}

/** Describes the file: `PNG · 512 × 512 · 120 kB`. */
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
  change_content: 'Change the prompt or the input files. The same request would be refused again.',
  shorten_prompt: 'Shorten the prompt.',
  rewrite_prompt: 'Rewrite the prompt, or use another model.',
  replace_images: 'Replace the input images.',
  fix_parameters: 'Compare the parameters and inputs with the family in the catalog, and correct the request.',
  resize_file: 'Use an input file of another size.',
  resize_image: 'Use an input image of another size.',
  reencode_image: 'Save the input image as PNG or JPEG, and upload it again.',
  choose_other_family: 'Choose another family: this model does not support the request.',
  retry_later: 'Try again later, or choose another family.',
  top_up: 'Check the credits before you try again.',
  retry: 'Start it again. The same request may succeed.',
  none: 'Nothing to do. The generation was cancelled.',
}

/** What to do about a failure; undefined for an unknown hint. */
export function hintLabel(hint: string): string | undefined {
  return hintLabels[hint]
}

/** Converts `maxLength` to `max length`. */
export function splitCamelCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
