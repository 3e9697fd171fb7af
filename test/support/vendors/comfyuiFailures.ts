import type { Json } from '../../../src/contract/json.ts'
import type { SentNodes } from './comfyuiPrompts.ts'

/** Errors of ComfyUI: at once with a status, or in the history as the last message. */
export type ComfyuiError = { status: number; body: Json } | { message: [string, { [key: string]: Json }] }

/** Errors in ComfyUI's format for each `class/reason`. Some refer to a node of the workflow. */
export const comfyuiFailures: Record<string, (nodes: SentNodes) => ComfyuiError> = {
  'parameter_validation/parameter_rejected': (nodes) =>
    refused(nodes, 'KSampler', 'seed', 'value_bigger_than_max', 'Value 18446744073709551616 bigger than max of 18446744073709551615'),
  'parameter_validation/input_rejected_by_model': (nodes) =>
    refused(nodes, 'LoadImage', 'image', 'custom_validation_failed', 'Custom validation failed for node'),
  'image_format/image_unreadable': (nodes) =>
    broken(nodes, 'LoadImage', 'PIL.UnidentifiedImageError', "cannot identify image file '/comfy/input/atelier/x.png'"),
  'model_unavailable/model_offline': (nodes) => refused(nodes, 'UNETLoader', 'unet_name', 'value_not_in_list', 'Value not in list'),
  'model_unavailable/model_at_capacity': (nodes) =>
    broken(nodes, 'KSampler', 'torch.OutOfMemoryError', 'Allocation on device 0 would exceed allowed memory. (out of memory)'),
  'authentication/provider_access_closed': () => ({ status: 403, body: { error: 'Forbidden' } }),
  'provider_error/provider_failed': (nodes) => broken(nodes, 'KSampler', 'RuntimeError', 'mat1 and mat2 shapes cannot be multiplied'),
  'user_cancellation/cancelled_upstream': (nodes) => {
    const [id, node] = found(nodes, 'KSampler')
    return { message: ['execution_interrupted', { node_id: id, node_type: node.class_type, executed: [] }] }
  },
}

function found(nodes: SentNodes, classType: string): [string, SentNodes[string]] {
  return Object.entries(nodes).find(([, node]) => node.class_type === classType) ?? ['1', { class_type: classType, inputs: {} }]
}

function refused(nodes: SentNodes, classType: string, input: string, type: string, message: string): ComfyuiError {
  const [id, node] = found(nodes, classType)
  const details = `${input}: ${JSON.stringify(node.inputs[input])} not in []`
  const errors = [{ type, message, details, extra_info: { input_name: input, received_value: node.inputs[input] ?? null } }]
  const error = { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation', details: '', extra_info: {} }
  return { status: 400, body: { error, node_errors: { [id]: { errors, dependent_outputs: [], class_type: classType } } } }
}

function broken(nodes: SentNodes, classType: string, type: string, words: string): ComfyuiError {
  const [id, node] = found(nodes, classType)
  const where = { node_id: id, node_type: node.class_type, executed: [], traceback: ['  File "/comfy/execution.py"'] }
  return { message: ['execution_error', { ...where, exception_type: type, exception_message: words, current_inputs: {} }] }
}
