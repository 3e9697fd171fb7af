import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Failure } from '../../api/failure.ts'
import { signIn, ssoProviderName, startSsoSignIn } from '../../api/session.ts'
import { returnAddress } from '../../paths.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { EntryCard } from '../../ui/layout/EntryCard.tsx'

type SignInError = { kind: 'wrong' } | { kind: 'failed'; failure: Failure }

/** Contract: docs/contract.md#pages. */
export function SignInPage() {
  const [search] = useSearchParams()
  const [trouble, setTrouble] = useState<SignInError>()
  const [busy, setBusy] = useState(false)
  const returnTo = returnAddress(search.get('next'), location.origin)

  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  useEffect(() => email.current?.focus(), [])

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setBusy(true)
    setTrouble(undefined)
    const outcome = await signIn({ email: email.current?.value.trim() ?? '', password: password.current?.value ?? '' })
    // A full page load, so that no earlier data stays in memory.
    if (outcome.kind === 'signed in') return location.replace(returnTo)
    setTrouble(outcome)
    setBusy(false)
  }

  return (
    <EntryCard title="Sign in">
      <SignInErrorNotice trouble={trouble ?? ssoError(search)} />
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          <TextInput label="E-mail" name="email" type="email" autoComplete="username" required withAsterisk={false} ref={email} />
          <PasswordInput label="Password" name="password" autoComplete="current-password" ref={password} required withAsterisk={false} />
          <Button type="submit" loading={busy} fullWidth mt={4}>
            Sign in
          </Button>
        </Stack>
      </form>
      <SsoButton returnTo={returnTo} onFailure={(failure) => setTrouble({ kind: 'failed', failure })} />
    </EntryCard>
  )
}

function SignInErrorNotice({ trouble }: { trouble: SignInError | undefined }) {
  if (!trouble) return null
  if (trouble.kind === 'failed') return <ErrorNotice failure={trouble.failure} />
  return (
    <Alert color="red" variant="light" role="alert">
      E-mail or password is wrong.
    </Alert>
  )
}

/** Why the SSO provider returned without a session. */
const reasons: Record<string, string> = {
  cancelled: 'The sign-in was cancelled at the provider.',
  email_not_verified: 'The provider has not verified your e-mail address. Verify it there, then try again.',
  registration_closed:
    'There is no account for your e-mail address, and it cannot be used to create one. Ask the operator of this service.',
  expired: 'The sign-in took too long. Try again.',
  failed: 'The sign-in at the provider failed. Try again in a moment.',
}

function ssoError(search: URLSearchParams): SignInError | undefined {
  const reason = search.get('error')
  if (reason === null) return undefined
  const message = (Object.hasOwn(reasons, reason) ? reasons[reason] : undefined) ?? reasons['failed'] ?? ''
  return { kind: 'failed', failure: { code: reason, message, requestId: undefined, retryable: true, details: {} } }
}

function SsoButton({ returnTo, onFailure }: { returnTo: string; onFailure(failure: Failure): void }) {
  const [name, setName] = useState<string>()
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    void ssoProviderName().then(setName)
  }, [])
  if (name === undefined) return null
  const leave = async () => {
    setBusy(true)
    const failure = await startSsoSignIn(returnTo)
    if (!failure) return
    setBusy(false)
    onFailure(failure)
  }
  return (
    <>
      <Divider label="or" />
      <Button variant="default" fullWidth loading={busy} onClick={() => void leave()}>
        Sign in with {name}
      </Button>
    </>
  )
}
