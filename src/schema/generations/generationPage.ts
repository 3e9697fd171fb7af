import { isId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import { invalidRequest } from '../../contract/refusals/refusals.ts'
import { personIdOf } from '../../domain/context.ts'
import { fileLinks } from '../../domain/files/fileLinks.ts'
import { type OwnedFile, ownedFiles } from '../../domain/files/ownedFiles.ts'
import { type GenerationNeighbours, generationNeighbours } from '../../domain/generations/history/generationNeighbours.ts'
import { builder } from '../core/builder.ts'
import { countsAsPage } from '../core/fieldSizes.ts'
import { FileStateEnum, MediaTypeEnum } from '../fileMutations.ts'
import { TeamType } from '../teams/team.ts'

const NeighboursType = builder.objectRef<GenerationNeighbours>('GenerationNeighbours')

builder.objectType(NeighboursType, {
  description: 'The generations beside one in the history of the team.',
  authScopes: { caller: true },
  fields: (t) => ({
    newerId: t.exposeID('newerId', { nullable: true, description: 'The next newer generation; null for the newest.' }),
    olderId: t.exposeID('olderId', { nullable: true, description: 'The next older generation; null for the oldest.' }),
  }),
})

const InputFileType = builder.objectRef<OwnedFile>('InputFile')

builder.objectType(InputFileType, {
  description: 'An uploaded file that is or was an input.',
  authScopes: { caller: true },
  fields: (t) => ({
    fileId: t.exposeID('id', { description: 'The identifier of the file.' }),
    state: t.expose('state', { type: FileStateEnum, description: 'The state; an input can be used once it is `READY`.' }),
    type: t.expose('type', { type: MediaTypeEnum, nullable: true, description: 'The type; null before it is known.' }),
    mimeType: t.exposeString('mimeType', { nullable: true, description: 'The content type; null before it is known.' }),
    sizeBytes: t.exposeInt('sizeBytes', { description: 'The size in bytes.' }),
    durationSeconds: t.exposeFloat('durationSeconds', {
      nullable: true,
      description: 'The duration of a video or of audio; otherwise null.',
    }),
    thumbnailUrl: t.string({
      nullable: true,
      description:
        'A small JPEG of an image or of the waveform of a WAV file, for the asking person; works for 15 minutes. Null for other media.',
      resolve: (file, _args, { context }) => fileLinks(context, { file, userId: personIdOf(context) }).thumbnailUrl,
    }),
    contentUrl: t.string({
      nullable: true,
      description:
        'The content of a file without a thumbnail, for the asking person; works for 15 minutes. Null for a file with one, and until it is ready.',
      resolve: (file, _args, { context }) => fileLinks(context, { file, userId: personIdOf(context) }).contentUrl,
    }),
  }),
})

builder.objectFields(TeamType, (t) => ({
  generationNeighbours: t.field({
    type: NeighboursType,
    ...countsAsPage,
    description: 'The generations beside one in the history of the team.',
    args: { id: t.arg.id({ required: true, description: 'The generation.' }) },
    resolve: ({ id }, args, { context }) => generationNeighbours(context, id, args.id),
  }),
  inputFiles: t.field({
    type: [InputFileType],
    ...countsAsPage,
    description: 'Uploaded files of the team by their identifiers, at most 20. Expired and unknown ones are left out.',
    args: { ids: t.arg.idList({ required: true, description: 'The files.' }) },
    resolve: ({ id: ownerId }, { ids }, { context }) => {
      if (ids.length > limits.mediaInputs) {
        const message = `Takes at most ${limits.mediaInputs}.`
        throw invalidRequest({ in: 'body', path: ['ids'], code: 'too_big', message })
      }
      return ownedFiles(
        context,
        ownerId,
        ids.filter((id) => isId('file', id)),
      )
    },
  }),
}))
