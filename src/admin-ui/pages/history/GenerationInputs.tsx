import { Anchor, Box, Text, Title } from '@mantine/core'
import { IconFile } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import classes from './GenerationInputs.module.css'
import type { Generation } from './historyQuery.ts'
import { inputIdsOf } from './inputIds.ts'
import { ofOutput, Preview } from './Preview.tsx'
import { useGeneration } from './useGeneration.ts'

type InputFile = { fileId: string; type: keyof typeof ofOutput | null; thumbnailUrl: string | null }

/** The inputs as small pictures: uploaded files, and results of earlier generations. */
export function GenerationInputs({ inputs, files }: { inputs: Generation['inputs']; files: readonly InputFile[] }) {
  const ids = inputIdsOf(inputs)
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
            {id.startsWith('gen_') ? <Result id={id} /> : <UploadedFile id={id} file={files.find(({ fileId }) => fileId === id)} />}
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

function UploadedFile({ id, file }: { id: string; file: InputFile | undefined }) {
  const Icon = file?.type ? ofOutput[file.type] : IconFile
  return (
    <>
      {file?.thumbnailUrl ? (
        <img src={pathOf(file.thumbnailUrl)} alt={`Input ${id}`} className={classes.picture} />
      ) : (
        <span className={classes.symbol}>
          <Icon size={20} stroke={1.5} aria-hidden />
        </span>
      )}
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {file ? id : `${id} (expired)`}
      </Text>
    </>
  )
}

/** Pictures are loaded only from the page's own origin. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
