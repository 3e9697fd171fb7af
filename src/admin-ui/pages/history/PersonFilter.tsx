import { useQuery } from 'urql'
import { PersonChoicesQuery } from './historyChoices.ts'
import { SearchedFilter, type SearchedFilterProps } from './SearchedFilter.tsx'

/** Chooses a member of the team. */
export function PersonFilter(props: SearchedFilterProps) {
  return <SearchedFilter label="Who" useSearch={usePeople} {...props} />
}

function usePeople(variables: { teamId: string; search: string }) {
  const [{ data, fetching }] = useQuery({ query: PersonChoicesQuery, variables })
  const found = data?.team?.members.nodes.map(({ user: { id, name, email } }) => ({ value: id, label: `${name} (${email})` })) ?? []
  return { found, fetching }
}
