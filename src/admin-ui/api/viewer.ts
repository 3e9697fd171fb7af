import type { ResultOf } from 'gql.tada'
import { createContext, useContext } from 'react'
import { graphql } from './graphql.ts'
import { viewerDocument } from './viewerDocument.ts'

/** The signed-in person and their teams. Teams after the first page are ignored, because nobody has that many. */
export const ViewerQuery = graphql(viewerDocument)

type User = NonNullable<ResultOf<typeof ViewerQuery>['viewer']['user']>
export type Membership = User['memberships']['nodes'][number]
export type Role = Membership['role']
export type Viewer = Omit<User, 'memberships'> & { memberships: Membership[] }

export function viewerOf({ memberships, ...user }: User): Viewer {
  const { nodes } = memberships
  return { ...user, memberships: nodes.toSorted((left, right) => left.team.name.localeCompare(right.team.name)) }
}

export const ViewerContext = createContext<Viewer | null>(null)

/** The signed-in person, for components inside {@link ViewerContext}. */
export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext)
  if (viewer === null) throw new Error('useViewer needs ViewerContext')
  return viewer
}

export type CurrentTeam = { id: string; name: string; role: Role; mayManage: boolean }

export const TeamContext = createContext<CurrentTeam | null>(null)

/** The current team and the person's permissions in it. */
export function useTeam(): CurrentTeam {
  const team = useContext(TeamContext)
  if (team === null) throw new Error('useTeam needs TeamContext')
  return team
}

/** Like {@link useTeam}, for components that are also shown to people without a team. */
export function useOptionalTeam(): CurrentTeam | null {
  return useContext(TeamContext)
}
