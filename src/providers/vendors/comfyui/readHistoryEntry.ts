import type { Json } from '../../../contract/json.ts'
import type { OutputType } from '../../../contract/shapes/outputTypes.ts'
import { getObjectAtPath, isObject } from '../../connector/jsonPath.ts'
import type { Cost, Poll, ProviderLog } from '../../provider.ts'
import { executionFailure } from './comfyuiFailures.ts'
import type { ComfyuiSettings } from './comfyuiSettings.ts'
import type { HistoryEntry } from './findPrompt.ts'
import { toOutputs } from './savedFiles.ts'

type Messages = Map<string, { [key: string]: Json }>

/** Reads the state of a prompt from its history entry. A state that is not an end counts as running. */
export function readHistoryEntry(entry: HistoryEntry, settings: ComfyuiSettings, outputType: OutputType, log: ProviderLog): Poll {
  const status = getObjectAtPath(entry, 'status')
  const messages = messagesOf(status?.['messages'])
  if (status?.['status_str'] === 'error') {
    if (messages.has('execution_interrupted')) return { state: 'cancelled' }
    return { state: 'failed', failure: executionFailure(messages.get('execution_error') ?? {}, log) }
  }
  // Builds before 2024 store no status. Their history contains only ended prompts.
  if (status !== undefined && status['completed'] !== true) return { state: 'running', pollAfterMs: 2000 }
  const cost = costOf(messages, settings)
  return { state: 'succeeded', outputs: toOutputs(getObjectAtPath(entry, 'outputs') ?? {}, settings, outputType), ...(cost && { cost }) }
}

/** Messages are `[name, details]`, in time order. The last message of a name wins. */
function messagesOf(list: Json | undefined): Messages {
  const messages: Messages = new Map()
  for (const message of Array.isArray(list) ? list : []) {
    if (Array.isArray(message) && typeof message[0] === 'string' && isObject(message[1])) messages.set(message[0], message[1])
  }
  return messages
}

/** The running time of the operator's machine in seconds. */
function costOf(messages: Messages, { usdPerSecond }: ComfyuiSettings): Cost | undefined {
  const began = messages.get('execution_start')?.['timestamp']
  const ended = messages.get('execution_success')?.['timestamp']
  if (typeof began !== 'number' || typeof ended !== 'number' || ended < began) return undefined
  const quantity = (ended - began) / 1000
  return { quantity, unit: 'second', ...(usdPerSecond === undefined ? {} : { usd: quantity * usdPerSecond }) }
}
