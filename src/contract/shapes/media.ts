import { z } from 'zod'
import type { OutputType } from './outputTypes.ts'

export const media = ['images', 'videos', 'audios', 'models3d'] as const
export type Medium = (typeof media)[number]

/** The request fields that carry each medium; a video comes alone or in a list, and a variant takes one of the two. */
export const fieldsOfMedium = {
  images: ['imageIds'],
  videos: ['videoId', 'videoIds'],
  audios: ['audioIds'],
  models3d: ['model3dIds'],
} as const satisfies Record<Medium, readonly string[]>

export type MediaField = (typeof fieldsOfMedium)[Medium][number]
export const mediaFields: readonly MediaField[] = media.flatMap((medium) => [...fieldsOfMedium[medium]])

/** What kind of file each medium is, and what makes it. */
const typeOfMedium = { images: 'image', videos: 'video', audios: 'audio', models3d: 'model3d' } as const satisfies Record<
  Medium,
  OutputType
>

const typesByField = new Map<MediaField, OutputType>(
  media.flatMap((medium) => fieldsOfMedium[medium].map((field): [MediaField, OutputType] => [field, typeOfMedium[medium]])),
)

/** The kind of file or result that the request field takes. */
export function mediaTypeOfField(field: MediaField): OutputType | undefined {
  return typesByField.get(field)
}

/** The request fields that take a file or a result of this kind: none takes text. */
export function fieldsAccepting(type: OutputType | 'text'): MediaField[] {
  return mediaFields.filter((field) => mediaTypeOfField(field) === type)
}

/** The content types that uploads may have, by medium. Contract: docs/contract.md#file-formats. */
export const mimeTypesOfMedium = {
  images: ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif', 'image/heic'],
  videos: ['video/mp4', 'video/quicktime', 'video/webm'],
  audios: ['audio/mpeg', 'audio/wav', 'audio/flac', 'audio/ogg', 'audio/mp4'],
  models3d: ['model/gltf-binary', 'model/gltf+json', 'model/obj', 'model/stl', 'model/vnd.usdz+zip'],
} as const satisfies Record<Medium, readonly string[]>

export const mediaField = z.enum(mediaFields).meta({ id: 'MediaField', description: 'A field of the request that carries media.' })
