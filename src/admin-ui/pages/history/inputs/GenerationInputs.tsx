import { Anchor, Box, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useTeam } from '../../../api/viewer.ts'
import { paths } from '../../../paths.ts'
import type { Generation } from '../historyQuery.ts'
import { Preview } from '../Preview.tsx'
import { useGeneration } from '../useGeneration.ts'
import classes from './GenerationInputs.module.css'
import { InputThumbnail } from './InputThumbnail.tsx'
import { useInputFiles } from './useInputFiles.ts'

/** The inputs as small pictures: uploaded files, and results of earlier generations. */
export function GenerationInputs({ inputs }: { inputs: Generation['inputs'] }) {
  const { imageIds, videoIds, audioIds, model3dIds } = inputs
  const ids = [...imageIds, ...videoIds, ...audioIds, ...model3dIds]
  const files = useInputFiles(ids)
  if (ids.length === 0) return null
  return (
    <Box component="section" aria-labelledby="generation-inputs">
      <Title order={2} size="h3" id="generation-inputs" mb="xs">
        Inputs
      </Title>
      <ul className={classes.list}>
        {ids.map((id, index) => (
          // The same input may be used twice.
          <li key={`${index} ${id}`} className={classes.item}>
            {id.startsWith('gen_') ? <Result id={id} /> : <UploadedFile id={id} files={files} />}
          </li>
        ))}
      </ul>
    </Box>
  )
}

function Result({ id }: { id: string }) {
  const { id: teamId } = useTeam()
  const { generation } = useGeneration(id, { followSeconds: 10 })
  return (
    <Anchor component={Link} to={paths.generation(teamId, id)} size="xs" className={classes.link}>
      {generation && <Preview row={generation} size={96} />}
      <span>{generation?.prompt || id}</span>
    </Anchor>
  )
}

function UploadedFile({ id, files }: { id: string; files: ReturnType<typeof useInputFiles> }) {
  return (
    <>
      <span className={classes.picture}>
        <InputThumbnail id={id} alt={`Input ${id}`} files={files} />
      </span>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {files.fileOf(id) === null ? `${id} (expired)` : id}
      </Text>
    </>
  )
}
