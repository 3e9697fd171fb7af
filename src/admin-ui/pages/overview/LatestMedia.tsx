import { SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { FirstFrame, ofOutput, ofState } from '../history/Preview.tsx'
import { resultPath } from '../history/resultLinks.ts'
import classes from './LatestMedia.module.css'
import type { LatestGeneration } from './overviewQuery.ts'

/** The last results as a grid. Each leads to its generation. */
export function LatestMedia({ generations }: { generations: readonly LatestGeneration[] }) {
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 4, lg: 6 }} spacing="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {generations.map((generation) => (
        <li key={generation.generationId}>
          <Tile generation={generation} />
        </li>
      ))}
    </SimpleGrid>
  )
}

function Tile({ generation }: { generation: LatestGeneration }) {
  const { id } = useTeam()
  const { generationId, prompt, familyId, createdAt } = generation
  return (
    <Link to={paths.generation(id, generationId)} className={classes.tile}>
      <Picture generation={generation} />
      <Text span size="xs" truncate display="block" title={prompt ?? familyId}>
        <bdi>{prompt ?? familyId}</bdi>
      </Text>
      <Text span size="xs" c="dimmed" display="block">
        <Moment at={createdAt} />
      </Text>
    </Link>
  )
}

function Picture({ generation: { generationId, state, outputType, result } }: { generation: LatestGeneration }) {
  const [failed, setFailed] = useState(false)
  const path = resultPath(generationId, result)
  const shown = state === 'READY' && !failed ? path : undefined
  const { icon: Icon, color } = state === 'READY' ? { icon: ofOutput[outputType], color: 'gray' } : ofState[state]
  return (
    <span className={classes.picture} aria-hidden>
      {shown !== undefined && outputType === 'IMAGE' ? (
        <img src={`${shown}?preview=1`} alt="" loading="lazy" decoding="async" onError={() => setFailed(true)} />
      ) : shown !== undefined && outputType === 'VIDEO' ? (
        <FirstFrame path={shown} onError={() => setFailed(true)} />
      ) : (
        <Icon size={28} stroke={1.4} color={`var(--mantine-color-${color}-6)`} />
      )}
    </span>
  )
}
