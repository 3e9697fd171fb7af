import { useQuery } from 'urql'
import { KeyChoicesQuery } from './historyChoices.ts'
import { SearchedFilter, type SearchedFilterProps } from './SearchedFilter.tsx'

/** Chooses a key. A team may have thousands. */
export function KeyFilter(props: SearchedFilterProps) {
  return <SearchedFilter label="Key" useSearch={useKeys} {...props} />
}

function useKeys(variables: { teamId: string; search: string }) {
  const [{ data, fetching }] = useQuery({ query: KeyChoicesQuery, variables })
  const found = data?.team?.apiKeys.nodes.map(({ id, name, prefix }) => ({ value: id, label: `${name} (${prefix}…)` })) ?? []
  return { found, fetching }
}
