import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { family, type PublicFamily } from '../../contract/shapes/family.ts'
import { familiesQuery, listOf } from '../../contract/shapes/queries.ts'
import { type FoundFamily, searchFamilies as search } from '../familySearch.ts'
import { formatCredits } from '../formatCredits.ts'
import { readOnlyAnnotations, tool, toolResult } from '../tool.ts'

const input = familiesQuery.extend({
  query: z.string().max(200).optional().meta({
    description: 'What to make, in plain words, for example "text to speech" or "3d model from a photo". Best matches come first.',
  }),
})

const foundFamily = family
  .pick({ id: true, name: true, tasks: true, creditsFrom: true, available: true, lockReason: true })
  .extend({ why: z.string() })

/** A search stays below 6,000 characters, whatever the catalog. */
const charactersMax = 5_700

export const searchFamilies = tool({
  name: 'search_families',
  title: 'Search model families',
  description:
    'Finds model families for images, video, audio and 3D: id, tasks, lowest price in credits, and why each fits. Call it first to choose a familyId. Families with available: false cannot be used now; lockReason is the reason. Free of charge. Next: get_family for inputs, parameters and prices.',
  input,
  output: listOf(foundFamily, 'FoundFamilyList'),
  annotations: readOnlyAnnotations,
  connect: (field) => {
    const families = field('query', 'families')
    return async (call) => {
      const { query = '', ...filter } = call.arguments
      const { items } = (await families(filter, call)) as { items: PublicFamily[] }
      const { catalog } = call.context
      const found = search(catalog, items, query)
      if (found.length > 0) return searchResult(found)
      const isFiltered = Object.values(filter).some((value) => value !== undefined)
      if (items.length > 0 && isFiltered) return searchResult(search(catalog, items, '').map((each) => ({ ...each, isNear: true })))
      return toolResult({ items: [], nextCursor: null }, `No family matches. ${tasksText([...catalog.families.values()])}`)
    }
  },
})

function searchResult(found: readonly FoundFamily[]): CallToolResult {
  const items: object[] = []
  const lines: string[] = []
  let characters = 0
  for (const each of found) {
    const { id, name, tasks, creditsFrom, available, lockReason } = each.family
    const why = reasonOf(each)
    const item = { id, name, tasks, creditsFrom, available, ...(lockReason ? { lockReason } : {}), why }
    const locked = available ? '' : ` NOT AVAILABLE: ${lockReason}.`
    const line = `- ${id}: ${tasks.join(', ')}; from ${formatCredits(creditsFrom)}.${locked} ${why}`
    characters += JSON.stringify(item).length + JSON.stringify(line).length + 1
    if (characters > charactersMax) break
    items.push(item)
    lines.push(line)
  }
  const hidden = found.length - items.length
  const more = hidden === 0 ? [] : [`${hidden} more match: search again with task, outputType or other words.`]
  return toolResult({ items, nextCursor: null }, [headingOf(found), ...lines, ...more].join('\n'))
}

function headingOf(found: readonly FoundFamily[]): string {
  if (found.some(({ isNear }) => isNear)) return 'No family matches all words. The nearest ones:'
  return found.length === 1 ? '1 family:' : `${found.length} families, best match first:`
}

const reasonCharactersMax = 110

function reasonOf({ family: { description }, tasks, isNear }: FoundFamily): string {
  const [sentence = ''] = description.split(/(?<=[.;]) /, 1)
  const about = sentence.length > reasonCharactersMax ? `${sentence.slice(0, reasonCharactersMax - 1)}…` : sentence
  const matched = tasks.length === 0 ? '' : `Does ${tasks.join(', ')}. `
  return `${isNear ? 'Near match. ' : ''}${matched}${about}`
}

function tasksText(families: readonly { tasks: readonly string[] }[]): string {
  return `Tasks of this catalog: ${[...new Set(families.flatMap(({ tasks }) => tasks))].join(', ')}.`
}
