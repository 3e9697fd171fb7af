import { Portal, Select, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTeam } from '../../api/viewer.ts'
import { useErrorFocus } from '../../ui/form/useErrorFocus.ts'
import type { Family, Variant } from '../catalog/catalogQueries.ts'
import { firstVariant } from '../catalog/chooseVariant.ts'
import { explainLock, formatInputs, mediumNames, taskLabel } from '../catalog/familyLabels.ts'
import type { FieldIssues } from '../catalog/fieldIssues.ts'
import { type Draft, generationBody } from '../catalog/generationBody.ts'
import { ParameterFields } from '../catalog/ParameterField.tsx'
import { PromptField } from '../catalog/PromptField.tsx'
import { fieldsOf } from '../catalog/schemaFields.ts'
import { InputFields } from './InputFields.tsx'
import { idsIn, promptInAddressMax } from './playgroundAddress.ts'
import type { PersonRuns } from './playgroundQueries.ts'
import { RequestCode } from './RequestCode.tsx'
import { RunBar } from './RunBar.tsx'
import { useLiveEstimate } from './useLiveEstimate.ts'
import { useRun } from './useRun.ts'
import { useWrongInputs } from './useWrongInputs.ts'

export type RequestFormProps = {
  family: Family
  draft: Draft
  mayRun: boolean
  runs: PersonRuns
  dailyLimit: number | null
  /** The element that shows the same request as code. */
  codeArea: HTMLElement | null
  onChange(changes: Partial<Draft>): void
  onStarted(generationId: string): void
}

/** The form of one family, with just the fields of the chosen variant. */
export function RequestForm({ family, draft, ...form }: RequestFormProps) {
  const team = useTeam()
  const variant = family.variants.find(({ modelId }) => modelId === draft.modelId) ?? firstVariant(family)
  if (!variant) return <Text size="sm">This family has no variants.</Text>
  return <Form {...form} {...{ family, draft, variant }} teamId={team.id} />
}

const noAttempt = {}

type FormProps = RequestFormProps & { variant: Variant; teamId: string }

function Form({ family, draft, variant, teamId, mayRun, runs, dailyLimit, codeArea, onChange, onStarted }: FormProps) {
  const fields = useMemo(() => fieldsOf(variant.parameters), [variant])
  const wrong = useWrongInputs()
  const { body, missing, estimate, isStarting, failure, clearFailure, start } = useRequest({
    family,
    draft,
    variant,
    teamId,
    mayRun,
    runs,
    wrong: wrong.issues,
    onStarted,
  })
  /** A new object for each attempt to run. */
  const [attempt, setAttempt] = useState<object>(noAttempt)
  const wasAttempted = attempt !== noAttempt
  const issues = { ...(wasAttempted ? missing : {}), ...estimate.issues }
  const area = useErrorFocus<HTMLDivElement>(attempt)
  const attemptRun = () => {
    setAttempt({})
    void start()
  }
  const change = (changes: Partial<Draft>) => {
    clearFailure()
    onChange(changes)
  }
  return (
    <Stack
      gap="md"
      ref={area}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) attemptRun()
      }}
    >
      <VariantSelect family={family} variant={variant} onChoose={(modelId) => change({ modelId })} />
      <PromptAndInputs variant={variant} draft={draft} issues={issues} mayUpload={mayRun} onWrong={wrong.report} onChange={change} />
      <RunBar
        estimate={estimate}
        hint={hintOf(family, missing, wasAttempted)}
        failure={failure}
        isStarting={isStarting}
        mayRun={mayRun && family.available}
        runs={runs}
        dailyLimit={dailyLimit}
        onRun={attemptRun}
      />
      <ParameterFields
        fields={fields}
        values={draft.parameters}
        place="parameters"
        issues={issues}
        onChange={(parameters) => change({ parameters })}
      />
      {codeArea && (
        <Portal target={codeArea}>
          <RequestCode body={body} maxCredits={estimate.result?.credits} />
        </Portal>
      )}
    </Stack>
  )
}

type PromptAndInputsProps = {
  variant: Variant
  draft: Draft
  issues: FieldIssues
  mayUpload: boolean
  onWrong(field: string): () => void
  onChange(changes: Partial<Draft>): void
}

function PromptAndInputs({ variant: { inputs }, draft, issues, mayUpload, onWrong, onChange }: PromptAndInputsProps) {
  return (
    <>
      {inputs.prompt.maxLength !== 0 && (
        <PromptField limits={inputs.prompt} value={draft.prompt} issue={issues['prompt']} onChange={(prompt) => onChange({ prompt })} />
      )}
      {draft.prompt.length > promptInAddressMax && (
        <Text size="xs" c="dimmed" role="status">
          The prompt is longer than {promptInAddressMax.toLocaleString()} characters, so the address of this page leaves it out.
        </Text>
      )}
      <InputFields
        inputs={inputs}
        media={draft.media}
        issues={issues}
        mayUpload={mayUpload}
        onWrong={onWrong}
        onChange={(medium, ids) => onChange({ media: { ...draft.media, [medium]: ids.join('\n') } })}
      />
    </>
  )
}

type RequestParts = Pick<FormProps, 'family' | 'draft' | 'variant' | 'teamId' | 'mayRun' | 'runs' | 'onStarted'> & { wrong: FieldIssues }

/** The request that the form makes, its price, and its start. */
function useRequest({ family, draft, variant, teamId, mayRun, runs, wrong, onStarted }: RequestParts) {
  const body = useMemo(() => generationBody(family, variant, draft), [family, variant, draft])
  const missing = { ...missingOf(variant, draft), ...wrong }
  const isComplete = Object.keys(missing).length === 0
  const estimate = useLiveEstimate({
    teamId,
    body,
    variant,
    isReady: isComplete && family.available,
    askAgain: runs.spentTodayCredits + runs.heldCredits,
  })
  const { run, isStarting, failure, clearFailure } = useRun(teamId, onStarted)
  const start = async () => {
    if (!isComplete || !mayRun || isStarting) return
    const price = estimate.result?.credits ?? (await estimate.ask())?.credits
    if (price !== undefined) await run(body, price)
  }
  return { body, missing, estimate, isStarting, failure, clearFailure, start }
}

/** Every variant by task, with its inputs. */
function VariantSelect({ family, variant, onChoose }: { family: Family; variant: Variant; onChoose(modelId: string): void }) {
  const data = family.tasks
    .map((task) => ({
      group: taskLabel(task),
      items: family.variants
        .filter(({ tasks }) => family.tasks.find((each) => tasks.includes(each)) === task)
        .map(({ modelId, label, inputs }) => ({ value: modelId, label: `${label}: ${formatInputs(inputs)}` })),
    }))
    .filter(({ items }) => items.length > 0)
  return (
    <Select
      label="Variant"
      data={data}
      value={variant.modelId}
      allowDeselect={false}
      onChange={(chosen) => chosen !== null && onChoose(chosen)}
    />
  )
}

/** Why there is no price. After an attempt to run, the fields say it. */
function hintOf({ available, lockReason }: Family, missing: FieldIssues, wasAttempted: boolean): string | undefined {
  if (!available) return explainLock(lockReason ?? '').name
  const [first] = Object.values(missing)
  return first !== undefined && wasAttempted ? 'The price is shown when nothing is missing or wrong.' : first
}

/** What the variant needs and the request lacks, by field. */
function missingOf({ inputs }: Variant, { prompt, media }: Draft): Record<string, string> {
  const missing: Record<string, string> = {}
  if (inputs.prompt.required && prompt.trim() === '') missing['prompt'] = 'Write what to make.'
  for (const medium of mediumNames) {
    const { min, max, field } = inputs[medium]
    if (max > 0 && idsIn(media[medium]).length < min) missing[field] = `Add ${min === 1 ? 'an input' : `${min} inputs`}.`
  }
  return missing
}
