import { type Detected, detectFormat } from './detectFormat.ts'
import { inspectContent } from './inspection/inspectContent.ts'
import type { MediaLimits } from './inspection/mediaLimits.ts'
import type { InspectionResult } from './inspectionResult.ts'
import { type PreviewLimits, renderPreview } from './preview/renderPreview.ts'

/** `name` is the file name in the worker's folder. */
export type InspectionTask =
  | { kind: 'recognise'; head: Uint8Array }
  | { kind: 'inspect'; name: string; declaredMimeTypes: string[]; limits: MediaLimits }
  | { kind: 'preview'; name: string; limits: PreviewLimits }

export type InspectionAnswer =
  | { kind: 'recognised'; detected: Detected }
  | { kind: 'inspected'; inspected: InspectionResult }
  | { kind: 'previewed'; jpeg: Uint8Array | null }

/** Runs one task in a worker of the inspector. Rejects only when the file cannot be read. */
export async function work(task: InspectionTask): Promise<InspectionAnswer> {
  switch (task.kind) {
    case 'recognise':
      return { kind: 'recognised', detected: await detectFormat(Buffer.from(task.head)) }
    case 'inspect':
      return { kind: 'inspected', inspected: await inspectContent(task.name, task) }
    case 'preview':
      // A decoder error means that there is no preview.
      return { kind: 'previewed', jpeg: await renderPreview(task.name, task.limits).catch(() => null) }
  }
}
