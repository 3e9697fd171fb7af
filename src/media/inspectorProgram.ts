import { type Detected, detectFormat } from './detectFormat.ts'
import type { Inspected } from './inspected.ts'
import { inspectContent } from './inspection/inspectContent.ts'
import type { MediaLimits } from './inspection/mediaLimits.ts'

/** `name` is that of the file in the folder of the worker. */
export type InspectionTask =
  | { kind: 'recognise'; head: Uint8Array }
  | { kind: 'inspect'; name: string; declaredMimeTypes: string[]; limits: MediaLimits }

export type InspectionAnswer = { kind: 'recognised'; detected: Detected } | { kind: 'inspected'; inspected: Inspected }

/** What the workers of the inspector do. Rejects only when the file cannot be read. */
export async function work(task: InspectionTask): Promise<InspectionAnswer> {
  if (task.kind === 'recognise') return { kind: 'recognised', detected: await detectFormat(Buffer.from(task.head)) }
  return { kind: 'inspected', inspected: await inspectContent(task.name, task) }
}
