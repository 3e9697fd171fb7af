import { Alert, Button, Loader, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { Failure } from '../../api/failure.ts'
import { acceptInvitation, type Invitation, readInvitation } from '../../api/invitation.ts'
import { signOut } from '../../api/session.ts'
import { base, paths } from '../../paths.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { EntryCard } from '../../ui/layout/EntryCard.tsx'
import { roleLabels } from '../team/roleRules.ts'
import { NewAccountForm } from './NewAccountForm.tsx'
import { takeInvitationToken } from './takeInvitationToken.ts'

/** Accepts an invitation, with the session of this browser or a new account. Contract: docs/contract.md#invitations. */
export function InvitationPage() {
  const [token] = useState(takeInvitationToken)
  const [invitation, setInvitation] = useState<Invitation>()
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => {
    void readInvitation(token).then(({ data, failure: failed }) => {
      setInvitation(data)
      setFailure(failed)
    })
  }, [token])
  return (
    <EntryCard title="Invitation">
      {failure ? (
        <Ended failure={failure} />
      ) : invitation ? (
        <Open invitation={invitation} token={token} />
      ) : (
        <Loader aria-label="Loading" color="gray" size="sm" />
      )}
    </EntryCard>
  )
}

function Ended({ failure }: { failure: Failure }) {
  if (!['not_found', 'invalid_request'].includes(failure.code)) return <ErrorNotice failure={failure} onRetry={() => location.reload()} />
  return (
    <>
      <Text>This invitation was used or withdrawn, or has expired. Ask the person who invited you for a new one.</Text>
      <Button component={Link} to={paths.home} variant="default">
        Open Atelier
      </Button>
    </>
  )
}

function Open({ invitation, token }: { invitation: Invitation; token: string }) {
  const { teamName, role, email, invitedBy, signedInAs } = invitation
  const isInvited = signedInAs?.toLowerCase() === email.toLowerCase()
  return (
    <>
      <Text style={{ overflowWrap: 'anywhere' }}>
        {invitedBy === null ? 'You are invited' : <bdi>{invitedBy} invites you</bdi>} to the team{' '}
        <Text span fw={600}>
          <bdi>{teamName}</bdi>
        </Text>{' '}
        as {roleLabels[upper(role)].one}, with the address <bdi>{email}</bdi>.
      </Text>
      {isInvited ? <AcceptAsSelf token={token} /> : signedInAs === null ? <Newcomer token={token} /> : <SomebodyElse as={signedInAs} />}
    </>
  )
}

function AcceptAsSelf({ token }: { token: string }) {
  const { busy, failure, accept } = useAcceptance(token)
  return (
    <>
      {failure && <ErrorNotice failure={failure} />}
      <Button loading={busy} onClick={() => void accept()}>
        Accept
      </Button>
    </>
  )
}

function Newcomer({ token }: { token: string }) {
  const { busy, failure, accept } = useAcceptance(token)
  return (
    <>
      <NewAccountForm busy={busy} failure={failure} onSubmit={(person) => void accept(person)} />
      <Text c="dimmed" size="sm">
        Do you have an account with this address, or sign in through your organisation?
      </Text>
      <Button component={Link} to={paths.signIn(`${base}${paths.invitation}`)} variant="default">
        Sign in
      </Button>
    </>
  )
}

function SomebodyElse({ as }: { as: string }) {
  const [failure, setFailure] = useState<Failure>()
  const leave = async () => {
    const failed = await signOut()
    if (failed) setFailure(failed)
    else location.reload()
  }
  return (
    <>
      <Alert color="orange" role="alert" title="You are signed in with another address">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          This browser is signed in as <bdi>{as}</bdi>. Sign out, then accept with the invited address.
        </Text>
      </Alert>
      {failure && <ErrorNotice failure={failure} />}
      <Button onClick={() => void leave()}>Sign out</Button>
    </>
  )
}

function useAcceptance(token: string) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const accept = async (person: { name?: string; password?: string } = {}) => {
    setBusy(true)
    const { data, failure: failed } = await acceptInvitation({ token, ...person })
    // A full page load, with the new team and perhaps a new session.
    if (data) return location.replace(`${base}${paths.team(data.teamId)}`)
    setFailure(failed)
    setBusy(false)
  }
  return { busy, failure, accept }
}

function upper(role: Invitation['role']): keyof typeof roleLabels {
  return role.toUpperCase() as Uppercase<typeof role>
}
