import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { type CurrentTeam, useTeam } from '../../api/viewer.ts'
import { type Found, type PaletteGroup, paletteGroups } from './paletteGroups.ts'
import { AccessQuery, FamiliesQuery, GenerationQuery, MembersQuery, WorkQuery } from './paletteQueries.ts'

const pauseMs = 200

export type PaletteSearch = {
  groups: PaletteGroup[]
  /** True while the service searches for what is typed. */
  isSearching: boolean
  failure: Failure | undefined
}

/** Searches what the person may open. A text of fewer than two characters finds only pages and families. */
export function usePaletteSearch(typed: string): PaletteSearch {
  const team = useTeam()
  const search = typed.trim()
  const [asked] = useDebouncedValue(search, pauseMs)
  const isShort = asked.length < 2
  const { found, fetching, failure } = useFound(team, asked, isShort)
  // Results of an earlier text are not shown.
  const isCurrent = asked === search && !fetching
  const groups = paletteGroups(team, search, isCurrent && !isShort ? found : { families: found.families })
  return { groups, isSearching: search.length >= 2 && !isCurrent, failure }
}

function useFound({ id: team, mayManage }: CurrentTeam, search: string, pause: boolean) {
  const variables = { team, search }
  const [families] = useQuery({ query: FamiliesQuery, variables: { team } })
  const [work] = useQuery({ query: WorkQuery, variables, pause, requestPolicy: 'cache-and-network' })
  const [access] = useQuery({ query: AccessQuery, variables, pause: pause || !mayManage })
  const [members] = useQuery({ query: MembersQuery, variables, pause: pause || !mayManage })
  const exact = useExactGeneration(team, search)
  const found: Found = {
    families: families.data?.families.nodes,
    access: access.data?.team,
    members: members.data?.team?.members.nodes,
    generations: [...exact.generations, ...(work.data?.team?.generations.nodes ?? [])],
  }
  const queries = [work, access, members]
  const error = pause ? undefined : queries.find((query) => query.error)?.error
  return { found, fetching: exact.fetching || queries.some(({ fetching }) => fetching), failure: error && failureOf(error) }
}

/** The generation with that identifier. An identifier of no generation is no failure. */
function useExactGeneration(team: string, id: string) {
  const [{ data, fetching }] = useQuery({ query: GenerationQuery, variables: { team, id }, pause: !/^gen_[0-9a-z]{26}$/.test(id) })
  const found = data?.team?.generation
  return { generations: found?.generationId === id ? [found] : [], fetching }
}
