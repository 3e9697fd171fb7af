import type { Outcome } from './ruleDrivenAgent.ts'

/** What a person says, and what must have happened: the goal returns what is wrong, undefined when nothing is. */
export type AgentTask = {
  name: string
  says: string
  goal(outcome: Outcome): string | undefined
  /** Arguments of a start before the person speaks. */
  started?: Record<string, unknown>
}

const readyMedia = (count: number) => (outcome: Outcome) => {
  const ready = outcome.calls.filter(({ tool, text }) => tool === 'wait_generation' && text.startsWith('Ready.')).length
  return ready === count ? undefined : `${ready} of ${count} results: ${outcome.calls.map(({ tool }) => tool).join(', ')}; ${outcome.last}`
}

/** Results of these tasks, in this order. */
const made =
  (...tasks: string[]) =>
  (outcome: Outcome) => {
    const quoted = outcome.calls.filter(({ tool, isError }) => tool === 'estimate_generation' && !isError)
    const found = quoted.map(({ text }) => /\(([\w-]+)\)/.exec(text)?.[1])
    return JSON.stringify(found) === JSON.stringify(tasks)
      ? readyMedia(tasks.length)(outcome)
      : `tasks ${found.join(', ')} instead of ${tasks.join(', ')}`
  }

const says = (pattern: RegExp) => (outcome: Outcome) => (pattern.test(outcome.last) ? undefined : `the last answer is: ${outcome.last}`)
const calls =
  (tool: string, pattern = /./) =>
  (outcome: Outcome) =>
    outcome.calls.some((each) => each.tool === tool && !each.isError && pattern.test(each.text)) ? undefined : `no ${tool}: ${outcome.last}`

export const agentTasks: readonly AgentTask[] = [
  { name: 'logo', says: 'make a logo of a fox and then make a 3D model of it', goal: made('text-to-image', 'image-to-3d') },
  { name: 'spent', says: 'what did I spend today', goal: calls('get_account', /available/) },
  { name: 'left', says: 'how many credits are left', goal: calls('get_account', /available/) },
  { name: 'ceiling', says: 'is there a budget or a ceiling on this key', goal: calls('get_account', /ceiling/) },
  { name: 'picture', says: 'a picture of a lighthouse at dusk', goal: made('text-to-image') },
  { name: 'photo', says: 'a photo of a red bicycle', goal: made('text-to-image') },
  { name: 'poster', says: 'design a poster for a jazz night', goal: made('text-to-image') },
  { name: 'icon', says: 'draw an icon of a cloud', goal: made('text-to-image') },
  { name: 'illustration', says: 'an illustration of a castle', goal: made('text-to-image') },
  { name: 'clip', says: 'a short clip of waves', goal: made('text-to-video') },
  { name: 'video', says: 'generate a video of a sunrise', goal: made('text-to-video') },
  { name: 'animate', says: 'draw a picture of a sailing boat, then animate it', goal: made('text-to-image', 'image-to-video') },
  { name: 'variation', says: 'draw a picture of a cat; edit it as a photo in winter', goal: made('text-to-image', 'image-to-image') },
  { name: 'voice', says: 'read aloud with a voice: welcome to our gallery', goal: made('text-to-speech') },
  { name: 'speech', says: 'text to speech of good morning', goal: made('text-to-speech') },
  { name: 'narration', says: 'narrate a sentence about the sea', goal: made('text-to-speech') },
  { name: 'mesh', says: 'a 3d mesh of a chair', goal: made('text-to-3d') },
  { name: 'sculpture', says: 'a sculpture of an owl', goal: made('text-to-3d') },
  { name: 'three', says: 'a picture of a lamp, then a 3d model of it, then a picture of a table', goal: readyMedia(3) },
  { name: 'price', says: 'how much is a picture of a lion', goal: calls('estimate_generation', /credit/) },
  { name: 'video price', says: 'how much is a video clip', goal: calls('estimate_generation', /credit/) },
  { name: 'models', says: 'which models make video', goal: says(/sandbox-video/) },
  { name: '3d models', says: 'is there a 3d model from a photo', goal: says(/sandbox-3d/) },
  { name: 'misspelt', says: 'can you do speach', goal: says(/sandbox-audio/) },
  { name: 'options', says: 'options of the image families', goal: calls('get_family', /parameters/) },
  { name: 'history', says: 'show me what I did recently: my history', goal: calls('list_generations', /gen_/) },
  { name: 'status', says: 'is the newest one finished', goal: calls('get_generation', /gen_/) },
  {
    name: 'cancel',
    says: 'cancel the slow one',
    started: { familyId: 'sandbox-image', prompt: 'slow', parameters: { runSeconds: 60 } },
    goal: calls('cancel_generation', /^Cancelled: /),
  },
  { name: 'upload', says: 'upload my file', goal: calls('upload_file', /curl -T/) },
  { name: 'private link', says: 'upload http://127.0.0.1/photo.png', goal: says(/file_fetch_failed/) },
]
