import { SimpleGrid, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { ofOutput } from '../history/Preview.tsx'
import { ResultPicture } from '../history/stills/ResultPicture.tsx'
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

function Picture({ generation }: { generation: LatestGeneration }) {
  const Icon = ofOutput[generation.outputType]
  return (
    <span className={classes.picture} aria-hidden>
      <ResultPicture generation={generation}>
        <Icon size={28} stroke={1.4} color="var(--mantine-color-dimmed)" />
      </ResultPicture>
    </span>
  )
}
