import { Anchor, Box, Button, Grid, Paper, Stack, Text, Title } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { CurrentTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { CodeBlock } from '../../ui/display/CodeBlock.tsx'
import { addressOf } from '../playground/playgroundAddress.ts'
import type { Family, Variant } from './catalogQueries.ts'
import { firstVariant } from './chooseVariant.ts'
import { startAndWait } from './curlCommands.ts'
import { EstimatePanel } from './EstimatePanel.tsx'
import { type Draft, generationBody } from './generationBody.ts'
import { MediaFields } from './MediaFields.tsx'
import { ParameterFields } from './ParameterField.tsx'
import { PromptField } from './PromptField.tsx'
import { fieldsOf } from './schemaFields.ts'
import { useEstimate } from './useEstimate.ts'
import { VariantChoice } from './VariantChoice.tsx'

type TryItProps = { family: Family; team: CurrentTeam }

/** A form for a request: its price, and the command to run it. `Run` continues in the playground. */
export function TryIt({ family, team }: TryItProps) {
  const first = firstVariant(family)
  if (!first) return null
  return <Form family={family} team={team} first={first} />
}

function Form({ family, team, first }: TryItProps & { first: Variant }) {
  const [draft, setDraft] = useState<Draft>({ modelId: first.modelId, prompt: '', parameters: {}, media: {} })
  const variant = family.variants.find(({ modelId }) => modelId === draft.modelId) ?? first
  const body = useMemo(() => generationBody(family, variant, draft), [family, variant, draft])
  const fields = useMemo(() => fieldsOf(variant.parameters), [variant])
  const estimate = useEstimate({ teamId: team.id, body, variant })
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))
  return (
    <Paper component="section" aria-label="Try it" withBorder radius="lg" p={{ base: 'md', sm: 'lg' }} bg="var(--atelier-surface)">
      <Title order={2} mb="md">
        Try it
      </Title>
      <Grid gap={{ base: 'lg', md: 'xl' }}>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="md">
            <VariantChoice family={family} variant={variant} onChoose={({ modelId }) => change({ modelId })} />
            {variant.inputs.prompt.maxLength !== 0 && (
              <PromptField
                limits={variant.inputs.prompt}
                value={draft.prompt}
                issue={estimate.issues['prompt']}
                onChange={(prompt) => change({ prompt })}
              />
            )}
            <MediaFields inputs={variant.inputs} pasted={draft.media} issues={estimate.issues} onChange={(media) => change({ media })} />
            <ParameterFields
              fields={fields}
              values={draft.parameters}
              place="parameters"
              issues={estimate.issues}
              onChange={(parameters) => change({ parameters })}
            />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Box pos="sticky" top={24}>
            <Stack gap="lg">
              <EstimatePanel isAvailable={family.available} estimate={estimate} team={team} />
              <Button
                component={Link}
                to={paths.playground(team.id, addressOf({ familyId: family.id, draft: { ...draft, modelId: variant.modelId } }))}
                variant="default"
                leftSection={<IconPlayerPlay size={16} aria-hidden />}
              >
                Run
              </Button>
              <CodeBlock label="Run it by curl" code={startAndWait(location.origin, body)} wrap />
              <KeyHint team={team} />
            </Stack>
          </Box>
        </Grid.Col>
      </Grid>
    </Paper>
  )
}

function KeyHint({ team }: { team: CurrentTeam }) {
  return (
    <Text size="xs" c="dimmed">
      The command starts the generation and waits up to a minute for the result. It reads the key from{' '}
      <Text span ff="monospace" size="xs">
        ATELIER_KEY
      </Text>
      , which needs the scopes generations:write and generations:read.{' '}
      {team.mayManage ? (
        <Anchor component={Link} to={paths.screen(team.id, 'keys')} size="xs" underline="always">
          Issue a key
        </Anchor>
      ) : (
        'An owner or administrator issues keys.'
      )}
    </Text>
  )
}
