import { Checkbox, SimpleGrid, Stack } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { FormButtons } from '../../ui/form/FormButtons.tsx'
import { Presets } from '../../ui/form/Presets.tsx'
import { SecretDialog } from '../../ui/form/SecretDialog.tsx'
import { useErrorFocus } from '../../ui/form/useErrorFocus.ts'
import { emptyFields, type FieldErrors, hasErrors, readKeyFields, splitRefusal } from './keyForm.ts'
import { scopeLabels, scopePresets, scopes } from './keyLabels.ts'
import { IssueKey, type Scope } from './keyQueries.ts'
import { SettingsFields } from './SettingsFields.tsx'
import { type KeyToTry, TryKey } from './TryKey.tsx'
import { UnknownOutcomeNotice } from './UnknownOutcomeNotice.tsx'

export type IssueKeyDialogProps = {
  opened: boolean
  onClose(): void
  /** Shows the keys with this name. */
  onSearch(name: string): void
}

const empty = { fields: emptyFields, scopes: [] as Scope[] }

/** Issues a key and shows its value once. Contract: docs/contract.md#pages. */
export function IssueKeyDialog({ opened, onClose, onSearch }: IssueKeyDialogProps) {
  const [busy, setBusy] = useState(false)
  const [issued, setIssued] = useState<KeyToTry>()
  return (
    <SecretDialog
      title="Issue key"
      opened={opened}
      secret={issued && { label: 'Key', copyName: 'Copy key', value: issued.value }}
      usage={issued && <TryKey issued={issued} />}
      // Closing the dialog would lose its value.
      onClose={() => (busy ? undefined : onClose())}
      onClosed={() => setIssued(undefined)}
    >
      <IssueForm onClose={onClose} onSearch={onSearch} onBusy={setBusy} onIssued={setIssued} />
    </SecretDialog>
  )
}

type IssueFormProps = Pick<IssueKeyDialogProps, 'onClose' | 'onSearch'> & { onBusy(busy: boolean): void; onIssued(issued: KeyToTry): void }

function IssueForm({ onClose, onSearch, onBusy, onIssued }: IssueFormProps) {
  const team = useTeam()
  const [{ fetching }, issue] = useMutation(IssueKey)
  const [{ fields, scopes }, setForm] = useState(empty)
  const [errors, setErrors] = useState<FieldErrors>({})
  const form = useErrorFocus(errors)
  const [failure, setFailure] = useState<Failure>()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const { settings, errors: fieldErrors } = readKeyFields(fields, new Date())
    const found = { ...fieldErrors, scopes: scopes.length === 0 ? 'Choose at least one.' : undefined }
    setErrors(found)
    setFailure(undefined)
    if (hasErrors(found)) return
    onBusy(true)
    const { data, error } = await issue({ input: { teamId: team.id, scopes, ...settings } })
    onBusy(false)
    if (data) return onIssued({ value: data.issueApiKey.value, ...data.issueApiKey.apiKey })
    const refusal = splitRefusal(error && failureOf(error))
    setErrors(refusal.errors)
    setFailure(refusal.failure)
  }
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <SettingsFields
          forAgents={scopes.includes('MCP')}
          fields={fields}
          errors={errors}
          onChange={(changed) => setForm((now) => ({ ...now, fields: { ...now.fields, ...changed } }))}
        >
          <ScopeChoice chosen={scopes} error={errors['scopes']} onChange={(chosen) => setForm((now) => ({ ...now, scopes: chosen }))} />
        </SettingsFields>
        {failure && <NotIssued failure={failure} name={fields.name.trim()} onSearch={onSearch} />}
        <FormButtons submit="Issue" busy={fetching} stay={fetching} onCancel={onClose} />
      </Stack>
    </form>
  )
}

function NotIssued({ failure, name, onSearch }: { failure: Failure; name: string; onSearch(name: string): void }) {
  if (failure.code !== 'unreachable') return <ErrorNotice title="The key was not issued" failure={failure} />
  return (
    <UnknownOutcomeNotice title="It is not known whether the key was issued" action="Look for it" onAct={() => onSearch(name)}>
      The server did not answer. If “<bdi>{name}</bdi>” is in the list, the key was issued, but its value is lost. Revoke it and issue
      another key.
    </UnknownOutcomeNotice>
  )
}

type ScopeChoiceProps = { chosen: readonly Scope[]; error: string | undefined; onChange(chosen: Scope[]): void }

/** A checkbox per scope, with its meaning, and presets that check several. */
function ScopeChoice({ chosen, error, onChange }: ScopeChoiceProps) {
  return (
    <Checkbox.Group
      pos="relative"
      label="Scopes"
      description="What the key may do. You cannot change this later."
      error={error}
      value={[...chosen]}
      onChange={(values) => onChange(scopes.filter((scope) => values.includes(scope)))}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing={8} mt={8}>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={scopeLabels[scope].text}
            description={scopeLabels[scope].allows}
            styles={{
              label: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-sm)' },
              description: { marginTop: 0 },
            }}
          />
        ))}
      </SimpleGrid>
      {/* On a phone there is no room beside the description. */}
      <Presets
        aria-label="Presets of scopes"
        pos={{ base: 'static', xs: 'absolute' }}
        top={0}
        right={0}
        mt={{ base: 8, xs: 0 }}
        values={scopePresets}
        onChange={onChange}
      />
    </Checkbox.Group>
  )
}
