import type { Json } from '../../../src/contract/json.ts'
import type { Behaviour } from '../conformance/vendorUnderTest.ts'
import { comfyuiFailures } from './comfyuiFailures.ts'

export type SentNodes = { [id: string]: { class_type: string; inputs: { [name: string]: Json } } }

/** An accepted prompt. `looks`: number of polls of its queue or unknown state. */
export type FakePrompt = {
  id: string
  number: number
  nodes: SentNodes
  behaviour: Behaviour
  looks: number
  isInterrupted: boolean
}

/** Its current state. A slow prompt waits for one poll and runs for the next. */
export function placeOf({ behaviour, looks, isInterrupted }: FakePrompt): 'pending' | 'running' | 'history' {
  if (isInterrupted || behaviour.kind !== 'slow' || looks >= behaviour.looks) return 'history'
  return looks < behaviour.looks / 2 ? 'pending' : 'running'
}

/** The entry of `GET /queue`. */
export function queueEntryOf({ id, number, nodes }: FakePrompt): Json {
  return [number, id, nodes, { client_id: 'atelier', create_time: 0 }, savingNodes(nodes).map(([node]) => node)]
}

/** The entry of `GET /history/{id}`. */
export function historyEntryOf(prompt: FakePrompt): Json {
  const { id, behaviour, nodes } = prompt
  const started: Json = ['execution_start', { prompt_id: id, timestamp: 1_763_800_000_000 }]
  const entry = (status: Json, outputs: Json = {}): Json => ({ prompt: queueEntryOf(prompt), outputs, status, meta: {} })
  const no = behaviour.kind === 'fails' ? comfyuiFailures[behaviour.failure]?.(nodes) : undefined
  if (prompt.isInterrupted) return entry(ended('execution_interrupted', { node_id: '1' }))
  if (no && 'message' in no) return entry(ended(...no.message))
  if (behaviour.kind === 'unknown_state' && prompt.looks++ < behaviour.looks)
    return entry({ status_str: 'archiving', completed: false, messages: [started] })
  const done: Json = ['execution_success', { prompt_id: id, timestamp: 1_763_800_004_500 }]
  return entry({ status_str: 'success', completed: true, messages: [started, done] }, outputsOf(prompt))
}

function ended(name: string, details: { [key: string]: Json }): Json {
  return { status_str: 'error', completed: false, messages: [[name, { ...details, timestamp: 1_763_800_001_000 }]] }
}

const saved: Record<string, { list: string; ending: string }> = {
  SaveImage: { list: 'images', ending: 'png' },
  SaveVideo: { list: 'images', ending: 'mp4' },
  SaveAudioMP3: { list: 'audio', ending: 'mp3' },
  SaveGLB: { list: '3d', ending: 'glb' },
}

function savingNodes(nodes: SentNodes): [string, SentNodes[string]][] {
  return Object.entries(nodes).filter(([, { class_type }]) => class_type in saved)
}

/** The name decides the content, because `/view` gets only the name. */
function outputsOf({ id, nodes, behaviour }: FakePrompt): Json {
  return Object.fromEntries(
    savingNodes(nodes).map(([node, { class_type }]) => {
      const { list, ending } = saved[class_type] ?? { list: 'images', ending: 'png' }
      const named = (name: string) => ({ filename: `${id}_${name}`, subfolder: 'atelier', type: 'output' })
      const other = ending === 'png' ? 'flac' : 'png'
      const files = { wrong_media: [`wrong.${ending}`], huge: [`huge.${ending}`], expired: [`expired.${ending}`] } as Record<
        string,
        string[]
      >
      const several = [`00001_.${other}`, `00001_.${ending}`, `00002_.${ending}`]
      const names = behaviour.kind === 'several' ? several : (files[behaviour.kind] ?? [`00001_.${ending}`])
      return [node, { [list]: names.map(named), ...(ending === 'mp4' ? { animated: [true] } : {}) }]
    }),
  )
}
