import type { ResultOf } from 'gql.tada'
import { createContext, useContext } from 'react'
import { graphql } from './graphql.ts'

/** Who is signed in, and in which teams. More teams than fit on a page are not told: nobody is in so many. */
export const ViewerQuery = graphql(`
  query Viewer {
    viewer {
      user {
        id
        name
        email
        subscriptionActive
        memberships(first: 50) {
          nodes {
            role
            team {
              id
              name
            }
          }
        }
      }
    }
  }
`)

type User = NonNullable<ResultOf<typeof ViewerQuery>['viewer']['user']>
export type Membership = User['memberships']['nodes'][number]
export type Role = Membership['role']
export type Viewer = Omit<User, 'memberships'> & { memberships: Membership[] }

export function viewerOf({ memberships, ...user }: User): Viewer {
  const { nodes } = memberships
  return { ...user, memberships: nodes.toSorted((left, right) => left.team.name.localeCompare(right.team.name)) }
}

export const ViewerContext = createContext<Viewer | null>(null)

/** Who is signed in; for what stands below the pages of a session. */
export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext)
  if (viewer === null) throw new Error('useViewer stands below ViewerContext alone')
  return viewer
}

export type CurrentTeam = { id: string; name: string; role: Role; mayManage: boolean }

export const TeamContext = createContext<CurrentTeam | null>(null)

/** The team whose page is shown, and what the person may do there. */
export function useTeam(): CurrentTeam {
  const team = useContext(TeamContext)
  if (team === null) throw new Error('useTeam stands below TeamContext alone')
  return team
}

/** As {@link useTeam}, for what is also shown to somebody who is in no team. */
export function useOptionalTeam(): CurrentTeam | null {
  return useContext(TeamContext)
}
