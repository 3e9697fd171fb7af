import { z } from 'zod'
import type { OutputType } from './outputTypes.ts'

export const media = ['images', 'videos', 'audios', 'models3d'] as const
export type Medium = (typeof media)[number]

/** The request fields of each medium. A variant takes either one video or a list of videos. */
export const fieldsOfMedium = {
  images: ['imageIds'],
  videos: ['videoId', 'videoIds'],
  audios: ['audioIds'],
  models3d: ['model3dIds'],
} as const satisfies Record<Medium, readonly string[]>

export type MediaField = (typeof fieldsOfMedium)[Medium][number]
export const mediaFields: readonly MediaField[] = media.flatMap((medium) => [...fieldsOfMedium[medium]])

/** The media type of each medium, of files and of results. */
const typeOfMedium = { images: 'image', videos: 'video', audios: 'audio', models3d: 'model3d' } as const satisfies Record<
  Medium,
  OutputType
>

const typesByField = new Map<MediaField, OutputType>(
  media.flatMap((medium) => fieldsOfMedium[medium].map((field): [MediaField, OutputType] => [field, typeOfMedium[medium]])),
)

/** The media type that the request field accepts. */
export function mediaTypeOfField(field: MediaField): OutputType | undefined {
  return typesByField.get(field)
}

/** The request fields that accept a file or result of this type; none for text. */
export function fieldsAccepting(type: OutputType | 'text'): MediaField[] {
  return mediaFields.filter((field) => mediaTypeOfField(field) === type)
}

/** The supported content types of uploads, by medium. Contract: docs/contract.md#file-formats. */
export const mimeTypesOfMedium = {
  images: ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif', 'image/heic'],
  videos: ['video/mp4', 'video/quicktime', 'video/webm'],
  audios: ['audio/mpeg', 'audio/wav', 'audio/flac', 'audio/ogg', 'audio/mp4'],
  models3d: ['model/gltf-binary', 'model/gltf+json', 'model/obj', 'model/stl', 'model/vnd.usdz+zip'],
} as const satisfies Record<Medium, readonly string[]>

export const mediaField = z.enum(mediaFields).meta({ id: 'MediaField', description: 'A request field for media.' })

type MediumBound = `${'min' | 'max'}${'Bytes' | 'Width' | 'Height' | 'AspectRatio' | 'DurationSeconds'}`

/**
 * Limits of one variant for inputs of one medium. An absent bound means no limit. `mimeTypes` is empty if the variant does not accept the
 * medium. Aspect ratios are width / height.
 */
export type MediumLimits = { readonly mimeTypes: readonly string[] } & { readonly [Name in MediumBound]?: number | undefined }
