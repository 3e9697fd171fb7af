import { Center, Container, Loader } from '@mantine/core'
import { lazy, useMemo } from 'react'
import { Outlet } from 'react-router'
import { useQuery } from 'urql'
import { failureOf } from '../api/failure.ts'
import { ViewerContext, ViewerQuery, viewerOf } from '../api/viewer.ts'
import { chooseTimeZone } from '../ui/display/timeZone.ts'
import { ErrorNotice } from '../ui/feedback/ErrorNotice.tsx'
import { LazyPart } from '../ui/feedback/LazyPart.tsx'
import { useEndedSession } from './useEndedSession.ts'

/** Loaded on demand, because most sessions do not end while a page is open. */
const SignInAgain = lazy(async () => ({ default: (await import('./SignInAgain.tsx')).SignInAgain }))

/** Loads the signed-in person for all pages except the sign-in. Shows nothing without a session. */
export function Session() {
  const [{ data, error }, refetch] = useQuery({ query: ViewerQuery })
  const user = data?.viewer.user
  const { hasEnded, resume } = useEndedSession()
  const viewer = useMemo(() => (user ? viewerOf(user) : null), [user])
  // Before the pages render, because they format times.
  chooseTimeZone(viewer?.timeZone)
  if (viewer)
    return (
      <ViewerContext value={viewer}>
        <Outlet />
        <LazyPart>{hasEnded && <SignInAgain opened email={viewer.email} onSignedIn={resume} />}</LazyPart>
      </ViewerContext>
    )
  const failure = error && failureOf(error)
  if (failure && failure.code !== 'unauthorized')
    return (
      <Container size="xs" pt="15vh">
        <ErrorNotice title="Atelier could not be opened" failure={failure} onRetry={() => refetch({ requestPolicy: 'network-only' })} />
      </Container>
    )
  return (
    <Center h="60vh">
      <Loader aria-label="Loading" color="gray" size="sm" />
    </Center>
  )
}
