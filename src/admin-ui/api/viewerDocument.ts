/** The text of `ViewerQuery`, also for {@link ./prefetchQueries.ts}. */
export const viewerDocument = `
  query Viewer {
    viewer {
      user {
        id
        name
        email
        subscriptionActive
        timeZone
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
`
