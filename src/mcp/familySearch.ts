import MiniSearch, { type SearchOptions } from 'minisearch'
import type { PublicFamily } from '../contract/shapes/family.ts'
import type { Task } from '../contract/shapes/tasks.ts'
import type { Context } from '../domain/context.ts'

type Catalog = Context['catalog']
type Document = { id: string; name: string; vendor: string; description: string; tasks: string }

/** A family of a search. `isNear`: it matches only some words, or similar ones. */
export type FoundFamily = { family: PublicFamily; tasks: Task[]; isNear: boolean }

const indexes = new WeakMap<Catalog, MiniSearch<Document>>()

const options: SearchOptions = {
  boost: { tasks: 3, name: 2, id: 2 },
  prefix: (term) => term.length > 2,
  combineWith: 'AND',
}
const nearOptions: SearchOptions = { ...options, fuzzy: (term) => (term.length > 4 ? 0.25 : false), combineWith: 'OR' }

/**
 * Ranks the families that match all words of the query, in their name, description or tasks. Without such families it returns those that
 * match some words, and then those that match none, because the other filters of the search selected them. Families that cannot be used
 * come last. Without a query, the first families have different tasks.
 */
export function searchFamilies(catalog: Catalog, families: readonly PublicFamily[], query: string): FoundFamily[] {
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const terms = words.filter((word) => word !== '' && !stopWords.has(word))
  if (terms.length === 0)
    return availableFirst(sortByNewTasks(availableFirst(families))).map((family) => ({ family, tasks: [], isNear: false }))
  const index = indexOf(catalog)
  const byId = new Map(families.map((family) => [family.id, family]))
  for (const { isNear, ...search } of [
    { isNear: false, ...options },
    { isNear: true, ...nearOptions },
  ]) {
    const found = index.search(terms.join(' '), search).flatMap(({ id }) => byId.get(id) ?? [])
    if (found.length > 0) return availableFirst(found).map((family) => ({ family, tasks: matchingTasks(family, terms), isNear }))
  }
  return []
}

function indexOf(catalog: Catalog): MiniSearch<Document> {
  let index = indexes.get(catalog)
  if (!index) {
    index = new MiniSearch({ fields: ['id', 'name', 'vendor', 'description', 'tasks'], processTerm: stem })
    index.addAll(
      [...catalog.families.values()].map(({ id, name, vendor, description, tasks }) => ({
        id,
        name,
        vendor,
        description,
        tasks: tasks.map(taskText).join(' '),
      })),
    )
    indexes.set(catalog, index)
  }
  return index
}

function taskText(task: Task): string {
  return `${task} ${taskSynonyms[task]}`
}

/** Lower case, and the singular of plain plurals. */
function stem(term: string): string {
  return term.toLowerCase().replace(/(?<=\w{3})s$/, '')
}

function matchingTasks({ tasks }: PublicFamily, terms: readonly string[]): Task[] {
  const stems = terms.map(stem)
  const matchCount = (task: Task) => {
    const words = new Set(taskText(task).split(/[ -]/).map(stem))
    return stems.filter((each) => words.has(each)).length
  }
  const best = Math.max(...tasks.map(matchCount))
  return best === 0 ? [] : tasks.filter((task) => matchCount(task) === best)
}

/** Keeps the order within both groups. */
function availableFirst(families: readonly PublicFamily[]): PublicFamily[] {
  return families.toSorted((left, right) => Number(right.available) - Number(left.available))
}

/** Families with a task that no earlier one has come first, so that a short list shows every task. */
function sortByNewTasks(families: readonly PublicFamily[]): PublicFamily[] {
  const seen = new Set<Task>()
  const [first, rest]: [PublicFamily[], PublicFamily[]] = [[], []]
  for (const family of families) {
    const list = family.tasks.some((task) => !seen.has(task)) ? first : rest
    list.push(family)
    for (const task of family.tasks) seen.add(task)
  }
  return [...first, ...rest]
}

/** Synonyms of each task for the search index. */
const taskSynonyms: Readonly<Record<Task, string>> = {
  'text-to-image': 'picture photo photograph drawing illustration logo icon poster art draw paint design',
  'image-to-image': 'edit change restyle combine variation photo picture',
  inpaint: 'fill mask retouch repair erase object part edit photo picture',
  'upscale-image': 'enlarge enhance sharpen resolution bigger larger photo picture',
  'remove-background': 'cutout cut out transparent isolate photo picture',
  'text-to-video': 'clip movie film animation',
  'image-to-video': 'animate animation clip movie film move photo picture',
  'video-to-video': 'edit change restyle clip movie film',
  'upscale-video': 'enlarge enhance sharpen resolution bigger larger clip movie film',
  'lip-sync': 'lips mouth talk talking speaking dub avatar face video',
  'text-to-speech': 'voice over voiceover narrate narration narrator read aloud speak say tts audio',
  'text-to-audio': 'sound effect noise sfx ambience',
  'text-to-music': 'song melody soundtrack jingle instrumental compose audio',
  'audio-to-audio': 'voice sound change convert edit remix clean',
  'text-to-3d': 'model mesh object shape sculpture figurine glb',
  'image-to-3d': 'model mesh object shape sculpture figurine glb photo picture',
  'retexture-3d': 'texture material color paint model mesh',
}

/** Words that are ignored in a search, because they match every family or none. */
const stopWords: ReadonlySet<string> = new Set(
  'a an and any are as at be by can create do for from generate get give i in into is it its make me my of on one or please some something tool model models family families that the this to turn use using want which with you'.split(
    ' ',
  ),
)
