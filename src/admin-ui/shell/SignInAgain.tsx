import { Alert, Button, Modal, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import type { Failure } from '../api/failure.ts'
import { signIn } from '../api/session.ts'
import { base, paths } from '../paths.ts'
import { ErrorNotice } from '../ui/feedback/ErrorNotice.tsx'

type SignInAgainProps = {
  opened: boolean
  /** The person of the session that has ended. */
  email: string
  onSignedIn(): void
}

/** Asks for the password after a session has ended. The page behind it keeps what was typed. */
export function SignInAgain({ opened, email, onSignedIn }: SignInAgainProps) {
  return (
    <Modal opened={opened} onClose={leave} title="Sign in again" closeOnClickOutside={false} closeOnEscape={false} zIndex={500}>
      <Form email={email} onSignedIn={onSignedIn} />
    </Modal>
  )
}

function Form({ email: former, onSignedIn }: Omit<SignInAgainProps, 'opened'>) {
  const [busy, setBusy] = useState(false)
  const [email, setEmail] = useState(former)
  const [password, setPassword] = useState('')
  const [trouble, setTrouble] = useState<{ failure: Failure | undefined }>()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setBusy(true)
    const outcome = await signIn({ email: email.trim(), password })
    setBusy(false)
    if (outcome.kind !== 'signed in') return setTrouble({ failure: outcome.kind === 'failed' ? outcome.failure : undefined })
    // The page shows data of the former person.
    if (email.trim().toLowerCase() !== former.toLowerCase()) return location.reload()
    onSignedIn()
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <Alert color="blue" variant="light" role="status">
          Your session has ended. Sign in to continue; what you typed is still here.
        </Alert>
        {trouble &&
          (trouble.failure ? (
            <ErrorNotice failure={trouble.failure} />
          ) : (
            <Alert color="red" variant="light" role="alert">
              E-mail or password is wrong.
            </Alert>
          ))}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          value={email}
          onChange={({ currentTarget: { value } }) => setEmail(value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={({ currentTarget: { value } }) => setPassword(value)}
        />
        <Button type="submit" loading={busy}>
          Sign in
        </Button>
        <Button variant="subtle" onClick={leave}>
          Other ways to sign in
        </Button>
      </Stack>
    </form>
  )
}

/** Goes to the sign-in page, which returns to this address. What was typed is lost. */
function leave(): void {
  location.assign(`${base}${paths.signIn(`${location.pathname}${location.search}`)}`)
}
