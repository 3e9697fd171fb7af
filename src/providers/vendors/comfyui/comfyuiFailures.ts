import type { Failure } from '../../../contract/failures/failures.ts'
import type { Json } from '../../../contract/json.ts'
import { getObjectAtPath, getPath, getTextAtPath } from '../../connector/jsonPath.ts'
import type { ProviderLog } from '../../provider.ts'
import { type ComfyuiSettings, mappedInputs } from './comfyuiSettings.ts'

const parameter: Failure = { code: 'parameter_validation', reason: 'parameter_rejected' }
const input: Failure = { code: 'parameter_validation', reason: 'input_rejected_by_model' }
const offline: Failure = { code: 'model_unavailable', reason: 'model_offline' }
const atCapacity: Failure = { code: 'model_unavailable', reason: 'model_at_capacity' }
const unreadable: Failure = { code: 'image_format', reason: 'image_unreadable' }
const failed: Failure = { code: 'provider_error', reason: 'provider_failed' }

type NodeError = { node: string; classType: string; type: string; input: string }

/**
 * Returns the failure for a workflow that ComfyUI refused. The caller caused it when the request filled the input in the error. Otherwise
 * the server lacks a node or a file of the workflow. Error details may contain the caller's texts and are not logged.
 */
export function refusedWorkflow(body: Json | undefined, settings: ComfyuiSettings, log: ProviderLog): Failure {
  const errors = nodeErrorsOf(body)
  const errorsWithSource = errors.map((error) => ({ ...error, source: valueSource(settings, error) }))
  const loggedErrors = errorsWithSource.map(({ source, ...error }) =>
    source === 'workflow' ? { ...error, value: settings.workflow[error.node]?.inputs[error.input] } : error,
  )
  log.warn({ error: getTextAtPath(body, 'error.type'), nodes: loggedErrors.slice(0, 10) }, 'ComfyUI refused the workflow')
  if (errorsWithSource.some(({ source }) => source === 'input')) return input
  if (errorsWithSource.some(({ source }) => source === 'parameter')) return parameter
  return offline
}

function nodeErrorsOf(body: Json | undefined): NodeError[] {
  const byNode = getObjectAtPath(body, 'node_errors') ?? {}
  return Object.entries(byNode).flatMap(([node, nodeError]) =>
    getPath(nodeError, 'errors.*').map((error) => ({
      node,
      classType: getTextAtPath(nodeError, 'class_type') ?? '',
      type: getTextAtPath(error, 'type') ?? '',
      input: getTextAtPath(error, 'extra_info.input_name') ?? '',
    })),
  )
}

/** The source of the value that the error is about. Values of axes belong to the workflow, like its files. */
function valueSource(settings: ComfyuiSettings, error: NodeError): 'input' | 'parameter' | 'workflow' {
  const at = `${error.node}.inputs.${error.input}`
  const parts = mappedInputs(settings).flatMap((mark) => (mark.at === at ? [mark.part] : []))
  if (parts.includes('inputs')) return 'input'
  return parts.some((part) => part === 'prompt' || part === 'parameters' || part === 'seeds') ? 'parameter' : 'workflow'
}

const outOfMemory = /out of memory|allocation on device|OutOfMemoryError/i
const wordsMax = 500

/** Returns the failure for a node that failed while it ran. After out of memory, the same work may succeed later. */
export function executionFailure(error: { [key: string]: Json }, log: ProviderLog): Failure {
  const type = getTextAtPath(error, 'exception_type') ?? ''
  const words = (getTextAtPath(error, 'exception_message') ?? '').slice(0, wordsMax)
  log.warn({ node: error['node_id'], classType: error['node_type'], type, words }, 'a node of the workflow failed in ComfyUI')
  if (outOfMemory.test(type) || outOfMemory.test(words)) return atCapacity
  if (type.endsWith('UnidentifiedImageError')) return unreadable
  return failed
}
