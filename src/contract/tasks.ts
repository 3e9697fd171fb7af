/** What a task makes, and the media it may start from; a task with no source starts from the prompt alone. */
type TaskRule = { outputType: OutputType; sources: readonly Medium[] }

/** Every task of the catalog, in the order of the contract. Contract: section 2. */
export const taskTable = {
  'text-to-image': { outputType: 'image', sources: [] },
  'image-to-image': { outputType: 'image', sources: ['images'] },
  inpaint: { outputType: 'image', sources: ['images'] },
  'upscale-image': { outputType: 'image', sources: ['images'] },
  'remove-background': { outputType: 'image', sources: ['images'] },
  'text-to-video': { outputType: 'video', sources: [] },
  'image-to-video': { outputType: 'video', sources: ['images'] },
  'video-to-video': { outputType: 'video', sources: ['videos'] },
  'upscale-video': { outputType: 'video', sources: ['videos'] },
  'lip-sync': { outputType: 'video', sources: ['videos', 'images', 'audios'] },
  'text-to-speech': { outputType: 'audio', sources: [] },
  'text-to-audio': { outputType: 'audio', sources: [] },
  'text-to-music': { outputType: 'audio', sources: [] },
  'audio-to-audio': { outputType: 'audio', sources: ['audios'] },
  'text-to-3d': { outputType: 'model3d', sources: [] },
  'image-to-3d': { outputType: 'model3d', sources: ['images'] },
  'retexture-3d': { outputType: 'model3d', sources: ['models3d'] },
} as const satisfies Record<string, TaskRule>

export type Task = keyof typeof taskTable
export const tasks = Object.keys(taskTable) as [Task, ...Task[]]

/** What comes out of a catalog family; `text` exists in history alone. */
export const outputTypes = ['image', 'video', 'audio', 'model3d'] as const
export type OutputType = (typeof outputTypes)[number]

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
export function typeTakenBy(field: MediaField): OutputType | undefined {
  return typesByField.get(field)
}

/** The request fields that take a file or a result of this kind: none takes text. */
export function fieldsTaking(type: OutputType | 'text'): MediaField[] {
  return mediaFields.filter((field) => typeTakenBy(field) === type)
}

/** The content types that uploads may have, by medium. Contract: section 3, POST /files. */
export const mimeTypesOfMedium = {
  images: ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif', 'image/heic'],
  videos: ['video/mp4', 'video/quicktime', 'video/webm'],
  audios: ['audio/mpeg', 'audio/wav', 'audio/flac', 'audio/ogg', 'audio/mp4'],
  models3d: ['model/gltf-binary', 'model/gltf+json', 'model/obj', 'model/stl', 'model/vnd.usdz+zip'],
} as const satisfies Record<Medium, readonly string[]>

export const priceUnits = ['generation', 'output_second', 'input_second', 'megapixel', 'thousand_characters'] as const
export type PriceUnit = (typeof priceUnits)[number]

/** Top-level names of a start request: no parameter may be called so, or media and prompt could slip in under `parameters`. */
export const requestFields: readonly string[] = ['familyId', 'prompt', 'axes', 'modelId', 'parameters', ...mediaFields, 'maxCredits']
