type ListedTool = { name: string; description?: string | undefined }
type Called = { isError: boolean; text: string; structured: Record<string, unknown> }

export type AgentTools = { tools: readonly ListedTool[]; call(name: string, given: Record<string, unknown>): Promise<Called> }

/** What a request led to: the called tools in order, and their texts. */
export type Outcome = { calls: { tool: string; text: string; isError: boolean }[]; last: string }

/** A step that the caller knows how to take; the tool for it is found by these words in its description. */
const wordsOfStep = {
  find: 'find model families search first choose familyId',
  details: 'get one family variants axes json schema parameters',
  price: 'estimate exact price quoteId starts nothing',
  start: 'start generation spends credits held',
  wait: 'wait until generation ends seconds',
  status: 'get generation present state result',
  cancel: 'cancel generation undone returned',
  list: 'list history newest first cursor',
  account: 'get account credits available ceilings spending today',
  upload: 'upload input file local url',
} as const

type Step = keyof typeof wordsOfStep
type Clause = { step: Exclude<Step, 'wait'>; words: string; usesEarlier: boolean }

/** The first rule whose pattern fits a clause decides about it. */
const rules: [pattern: RegExp, step: Clause['step']][] = [
  [/\b(cancel|stop|abort)\b/i, 'cancel'],
  [/\b(spen[dt]|balance|credits|afford|ceiling|budget)\b/i, 'account'],
  [/\bhow much|what would .* cost|price of\b/i, 'price'],
  [/\b(history|recent|last|list|did i make|show me what)\b/i, 'list'],
  [/\b(upload|local file|my file|from my disk)\b/i, 'upload'],
  [/\b(which models?|what models?|can you|is there)\b/i, 'find'],
  [/\b(details|options|parameters|settings) (of|for)\b/i, 'details'],
  [/\b(done|ready|status|finished)\b/i, 'status'],
]

/** Plays requests with fixed rules: it knows no tool, field or family beyond what names, descriptions and results say. */
export function ruleDrivenAgent({ tools, call }: AgentTools) {
  const toolOf = (step: Step) => bestTool(tools, wordsOfStep[step])

  return {
    async play(request: string): Promise<Outcome> {
      const calls: Outcome['calls'] = []
      let earlier: string | undefined
      const use = async (step: Step, given: Record<string, unknown> = {}) => {
        const tool = toolOf(step)
        const answer = await call(tool, given)
        calls.push({ tool, text: answer.text, isError: answer.isError })
        return answer
      }
      for (const clause of clausesOf(request)) {
        const ready = await playOf[clause.step](use, clause.words, clause.usesEarlier ? earlier : undefined)
        earlier = ready ?? earlier
      }
      return { calls, last: calls.at(-1)?.text ?? '' }
    },
  }
}

type Use = (step: Step, given?: Record<string, unknown>) => Promise<Called>

type Play = (use: Use, words: string, earlier: string | undefined) => Promise<string | undefined | void>

/** How each step is taken; returns the text of a result that a later clause may use. */
const playOf: Record<Clause['step'], Play> = {
  find: async (use, words) => void (await use('find', { query: words })),
  details: async (use, words) => {
    const [family] = familiesIn((await use('find', { query: words })).text)
    if (family) await use('details', { familyId: family })
  },
  price: async (use, words, earlier) => void (await quoted(use, words, earlier)),
  start: make,
  cancel: async (use) => {
    const open = /gen_\w+(?=: (?:queued|running))/.exec((await use('list', { status: 'active' })).text)?.[0]
    if (open) await use('cancel', { generationId: open })
  },
  status: async (use) => {
    const newest = /gen_\w+/.exec((await use('list')).text)?.[0]
    return newest ? (await use('status', { generationId: newest })).text : undefined
  },
  list: async (use) => (await use('list')).text,
  upload: async (use, words) => {
    const url = /https?:\S+/.exec(words)?.[0]
    return (await use('upload', url ? { url } : {})).text
  },
  account: async (use) => void (await use('account')),
}

/** Tries the found families in their order until one takes the request. */
async function quoted(use: Use, words: string, earlier: string | undefined) {
  for (const familyId of familiesIn((await use('find', { query: words })).text).slice(0, 4)) {
    const request = { familyId, prompt: words, ...inputIn(earlier) }
    const answer = await use('price', request)
    const quoteId = /quoteId (\w+)/.exec(answer.text)?.[1]
    if (!answer.isError) return { request, quoteId }
  }
  return undefined
}

async function make(use: Use, words: string, earlier: string | undefined): Promise<string | undefined> {
  const quote = await quoted(use, words, earlier)
  if (!quote?.quoteId) return undefined
  let answer = await use('start', { ...quote.request, quoteId: quote.quoteId })
  for (let waits = 0; waits < 10; waits += 1) {
    const generationId = /Next: call \w+ with generationId (gen_\w+)/.exec(answer.text)?.[1]
    if (!generationId) break
    answer = await use('wait', { generationId })
  }
  return answer.text
}

/** The field and the value that a result names for a use as an input. */
function inputIn(text: string | undefined): Record<string, unknown> {
  const [, field, id] = /(?:input of another: |usable in )(\w+).*?takes (gen_\w+)/.exec(text ?? '') ?? []
  return field && id ? { [field]: field === 'videoId' ? id : [id] } : {}
}

/** Available families in the lines of a search, best first. */
function familiesIn(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.includes('NOT AVAILABLE') ? [] : (/^- ([^:]+):/.exec(line)?.[1] ?? [])))
}

function clausesOf(request: string): Clause[] {
  return request.split(/,? (?:and )?then | and then |; /i).map((words) => ({
    step: rules.find(([pattern]) => pattern.test(words))?.[1] ?? 'start',
    words: words.replaceAll(/\b(please|it|that|them|one)\b/gi, '').trim(),
    usesEarlier: /\b(it|that|them)\b/i.test(words),
  }))
}

/** The tool with most of the words in its name and description; the name counts more. */
function bestTool(tools: readonly ListedTool[], words: string): string {
  const scoreOf = ({ name, description = '' }: ListedTool) => {
    const inName = new Set(name.split('_'))
    const inText = new Set(description.toLowerCase().split(/\W+/))
    return words.split(' ').reduce((score, word) => score + (inName.has(word) ? 3 : 0) + (inText.has(word.toLowerCase()) ? 1 : 0), 0)
  }
  const [best] = tools.toSorted((left, right) => scoreOf(right) - scoreOf(left))
  if (!best) throw new Error('the server has no tools')
  return best.name
}
