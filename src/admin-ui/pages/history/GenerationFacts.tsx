import { Anchor, Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { CopyableId } from '../../ui/display/CopyableId.tsx'
import classes from './GenerationDetails.module.css'
import { entriesOf, sourceLabel } from './generationLabels.ts'
import type { Generation } from './historyQuery.ts'

type Fact = [name: string, value: ReactNode]

/** Further details: parameters, origin and identifiers. */
export function GenerationFacts({ generation }: { generation: Generation }) {
  const { axes, parameters, metadata, inputs } = generation
  return (
    <>
      <Facts title="Request" facts={[...jsonFacts(axes), ...jsonFacts(parameters), ...inputFacts(inputs)]} />
      <Facts title="Reference and metadata" facts={[...referenceFact(generation), ...jsonFacts(metadata)]} />
      <Facts title="Origin" facts={useOriginFacts(generation)} />
      <Facts title="Identifiers" facts={identifierFacts(generation)} />
    </>
  )
}

function Facts({ title, facts }: { title: string; facts: Fact[] }) {
  if (facts.length === 0) return null
  return (
    <Box>
      <Text size="sm" fw={500} mb={6} component="h3">
        {title}
      </Text>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <FactLine key={name} name={name}>
            {value}
          </FactLine>
        ))}
      </dl>
    </Box>
  )
}

function FactLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** Uses the field names of requests. */
function jsonFacts(json: unknown): Fact[] {
  return entriesOf(json).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
}

function inputFacts({ imageIds, videoIds, audioIds, model3dIds }: Generation['inputs']): Fact[] {
  const named = { images: imageIds, videos: videoIds, audios: audioIds, '3D models': model3dIds }
  return Object.entries(named).flatMap(([name, ids]) => (ids.length > 0 ? [[name, <Code key={name}>{ids.join('\n')}</Code>] as Fact] : []))
}

function referenceFact({ reference }: Generation): Fact[] {
  return reference === null ? [] : [['Reference', reference]]
}

function useOriginFacts({ source, apiKey, startedBy }: Generation): Fact[] {
  const { id: teamId, mayManage } = useTeam()
  const facts: Fact[] = [['Source', sourceLabel(source)]]
  if (apiKey) {
    const name = `${apiKey.name} (${apiKey.prefix}…)`
    const leads = paths.key(teamId, apiKey.id)
    facts.push([
      'Key',
      mayManage ? (
        <Anchor key="key" component={Link} to={leads} size="sm">
          {name}
        </Anchor>
      ) : (
        name
      ),
    ])
  }
  if (startedBy) facts.push(['In the name of', startedBy.name])
  return facts
}

function identifierFacts({ generationId, familyId, modelId, task }: Generation): Fact[] {
  return [
    ['Generation', <CopyableId key="id" name="generation identifier" id={generationId} />],
    ['Family', <Code key="family">{familyId}</Code>],
    ...(modelId === null ? [] : [['Model', <Code key="model">{modelId}</Code>] as Fact]),
    ...(task === null ? [] : [['Task', <Code key="task">{task}</Code>] as Fact]),
  ]
}

function Code({ children }: { children: string }) {
  return (
    <span className={classes.code} style={{ whiteSpace: 'pre-wrap' }}>
      {children}
    </span>
  )
}
