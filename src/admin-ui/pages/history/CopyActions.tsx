import { Button, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconLink, IconPencil, IconTerminal } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { base, paths } from '../../paths.ts'
import { useCopy } from '../../ui/hooks/useCopy.ts'
import { startAndWait } from '../catalog/curlCommands.ts'
import { addressOf } from '../playground/playgroundAddress.ts'
import { draftOf } from '../playground/repeatedRequest.ts'
import type { Generation } from './historyQuery.ts'

/** Buttons: copy the address of this page, copy the request as curl, open the request in the playground. */
export function CopyActions({ generation }: { generation: Generation }) {
  const { id: teamId } = useTeam()
  const { generationId, familyId, modelId } = generation
  const link = useCopy()
  const curl = useCopy()
  return (
    <>
      <Button
        variant="default"
        leftSection={link.copied ? <IconCheck size={16} aria-hidden /> : <IconLink size={16} aria-hidden />}
        onClick={() => void link.copy(`${location.origin}${base}${paths.generation(teamId, generationId)}`)}
      >
        Copy link
      </Button>
      {modelId !== null && (
        <>
          <Button
            variant="default"
            leftSection={curl.copied ? <IconCheck size={16} aria-hidden /> : <IconTerminal size={16} aria-hidden />}
            onClick={() => void curl.copy(startAndWait(location.origin, requestOf(generation, modelId)))}
          >
            Copy as curl
          </Button>
          <Button
            component={Link}
            to={paths.playground(teamId, addressOf({ familyId, draft: draftOf(generation) }))}
            leftSection={<IconPencil size={16} aria-hidden />}
          >
            Edit and run
          </Button>
        </>
      )}
      <VisuallyHidden role="status">{link.copied || curl.copied ? 'Copied' : ''}</VisuallyHidden>
    </>
  )
}

/** The request as its program sent it, as far as the history has it. */
function requestOf({ familyId, prompt, parameters, inputs, reference, metadata }: Generation, modelId: string) {
  const lists = { imageIds: inputs.imageIds, videoIds: inputs.videoIds, audioIds: inputs.audioIds, model3dIds: inputs.model3dIds }
  const values = { parameters, metadata }
  return {
    familyId,
    modelId,
    ...(prompt === null || prompt === '' ? {} : { prompt }),
    ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && Object.keys(value as object).length > 0)),
    ...(reference === null ? {} : { reference }),
    ...Object.fromEntries(Object.entries(lists).flatMap(([name, ids]) => (ids.length > 0 ? [requestField(name, ids)] : []))),
  }
}

/** A single video goes as `videoId`, which variants with one video take. */
function requestField(name: string, ids: readonly string[]): [string, unknown] {
  return name === 'videoIds' && ids.length === 1 ? ['videoId', ids[0]] : [name, ids]
}
