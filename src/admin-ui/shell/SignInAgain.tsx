import { Alert, Button, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import type { Failure } from '../api/failure.ts'
import { signedInEmail, signIn } from '../api/session.ts'
import { base, paths } from '../paths.ts'
import { ErrorNotice } from '../ui/feedback/ErrorNotice.tsx'
import { usePollWhileVisible } from '../ui/hooks/usePollWhileVisible.ts'

const pollSeconds = 2

type SignInAgainProps = {
  opened: boolean
  /** The person of the session that has ended. */
  email: string
  onSignedIn(): void
}

/**
 * Asks for the password after a session has ended. Other ways to sign in open in a new tab; the page continues when there is a session. The
 * page behind the dialog keeps its fields.
 */
export function SignInAgain({ opened, email, onSignedIn }: SignInAgainProps) {
  return (
    <Modal
      opened={opened}
      onClose={() => undefined}
      title="Sign in again"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      zIndex={500}
    >
      <Form email={email} onSignedIn={onSignedIn} />
    </Modal>
  )
}

function Form({ email: former, onSignedIn }: Omit<SignInAgainProps, 'opened'>) {
  const [busy, setBusy] = useState(false)
  const [email, setEmail] = useState(former)
  const [password, setPassword] = useState('')
  const [trouble, setTrouble] = useState<{ failure: Failure | undefined }>()
  // For another person the page reloads, because it shows data of the former one.
  const continueAs = (who: string) => (who.trim().toLowerCase() === former.toLowerCase() ? onSignedIn() : location.reload())
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setBusy(true)
    const outcome = await signIn({ email: email.trim(), password })
    setBusy(false)
    if (outcome.kind !== 'signed in') return setTrouble({ failure: outcome.kind === 'failed' ? outcome.failure : undefined })
    continueAs(email)
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
        <OtherWays onSignedIn={continueAs} />
      </Stack>
    </form>
  )
}

/** Opens the sign-in page in a new tab, and polls until there is a session. `onSignedIn` gets the e-mail address of the person. */
function OtherWays({ onSignedIn }: { onSignedIn(email: string): void }) {
  const [isTabOpen, setTabOpen] = useState(false)
  usePollWhileVisible(isTabOpen ? pollSeconds : undefined, async () => {
    const email = await signedInEmail()
    if (email !== undefined) onSignedIn(email)
  })
  return (
    <>
      <Button component="a" href={`${base}${paths.signIn()}`} target="_blank" variant="subtle" onClick={() => setTabOpen(true)}>
        Other ways to sign in
      </Button>
      {isTabOpen && (
        <Text size="sm" c="dimmed" role="status">
          Sign in in the new tab, then come back. This page continues by itself.
        </Text>
      )}
    </>
  )
}
