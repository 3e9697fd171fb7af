import type { Json } from '../../../contract/json.ts'
import { mapFields } from '../../connector/fieldMap.ts'
import { setPath } from '../../connector/jsonPath.ts'
import type { JobSpec } from '../../provider.ts'
import type { ComfyuiSettings, Workflow } from './comfyuiSettings.ts'
import { seedOf } from './promptId.ts'

/** Returns the workflow with the values of the request in its mapped inputs. `media`: the names of the uploaded inputs. */
export function fillWorkflow(settings: ComfyuiSettings, spec: JobSpec, media: readonly string[]): Workflow {
  const seeds: { [key: string]: Json } = {}
  for (const at of settings.seeds) setPath(seeds, at, seedOf(spec.idempotencyKey))
  const workflow = structuredClone(settings.workflow)
  for (const fields of [seeds, mapFields(settings, spec, media)]) fill(workflow, fields)
  return workflow
}

/** The start has checked that every place is an input of a node. */
function fill(workflow: Workflow, fields: { [key: string]: Json }): void {
  for (const [id, mapped] of Object.entries(fields)) {
    const inputs = (mapped as { inputs?: { [name: string]: Json } }).inputs ?? {}
    for (const [name, value] of Object.entries(inputs)) {
      const node = workflow[id]
      if (node) node.inputs[name] = escapeList(value)
    }
  }
}

/** ComfyUI reads a plain list as a link to the output of a node. */
function escapeList(value: Json): Json {
  return Array.isArray(value) ? { __value__: value } : value
}
