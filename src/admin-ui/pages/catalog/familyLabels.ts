import { askOperatorTo } from '../../ui/feedback/askOperator.ts'
import type { ListedFamily, VariantInputs } from './catalogQueries.ts'

type OutputType = ListedFamily['outputType']

/** Labels of output types. */
export const outputTypeLabels: Record<OutputType, string> = {
  IMAGE: 'Image',
  VIDEO: 'Video',
  AUDIO: 'Audio',
  MODEL3D: '3D model',
  TEXT: 'Text',
}

/** Converts `text-to-image` to words. */
export function taskLabel(task: string): string {
  const words = task.replaceAll('-', ' ').replace(/\b3d\b/, '3D')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

type LockExplanation = {
  /** The text of the badge. */
  name: string
  /** The reason, and what to do about it. */
  advice(asked: { teamName: string; mayManage: boolean }): string
}

/** Explanations of the lock reasons of the REST API. An unknown reason is shown unchanged. */
const lockReasons: Record<string, LockExplanation> = {
  access_denied: {
    name: 'Not granted',
    advice: ({ teamName }) => `Only teams with a grant may use this family. ${askOperatorTo(`grant it to ${teamName}`)}`,
  },
  disabled_by_team: {
    name: 'Switched off',
    advice: ({ teamName, mayManage }) =>
      mayManage
        ? `${teamName} switched it off. Switch it on again to use it.`
        : `${teamName} switched it off. An owner or administrator can switch it on again.`,
  },
  subscription_required: {
    name: 'Needs a subscription',
    advice: () =>
      `Only keys whose issuer has an active subscription may use it. Your subscription is not active. ${askOperatorTo('activate it')}`,
  },
  temporarily_unavailable: {
    name: 'Unavailable for now',
    advice: () => 'It is temporarily unavailable for everybody, and starts are refused. Try again later.',
  },
}

export function explainLock(reason: string): LockExplanation {
  return lockReasons[reason] ?? { name: reason, advice: () => `It is locked: ${reason}.` }
}

/** The media that a variant may have as inputs. */
export const media = {
  images: { name: 'Images', one: 'image', many: 'images' },
  videos: { name: 'Videos', one: 'video', many: 'videos' },
  audios: { name: 'Audio', one: 'audio file', many: 'audio files' },
  models3d: { name: '3D models', one: '3D model', many: '3D models' },
} as const
export type MediumName = keyof typeof media
export const mediumNames = Object.keys(media) as MediumName[]

/** `1 to 4 images`, `1 video`, `up to 2 audio files`. */
export function formatCount(medium: MediumName, { min, max }: { min: number; max: number }): string {
  const { one, many } = media[medium]
  if (min === max) return `${max} ${max === 1 ? one : many}`
  return min === 0 ? `up to ${max} ${max === 1 ? one : many}` : `${min} to ${max} ${many}`
}

const formats: Record<string, string> = {
  jpeg: 'JPEG',
  webp: 'WebP',
  webm: 'WebM',
  quicktime: 'MOV',
  mpeg: 'MP3',
  'x-m4a': 'M4A',
  'gltf-binary': 'GLB',
  'gltf+json': 'glTF',
}
const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** `PNG, JPEG or WebP`, from MIME types. */
export function formatTypes(mimeTypes: readonly string[]): string {
  return either.format(new Set(mimeTypes.map((type) => type.split('/')[1] ?? type).map((type) => formats[type] ?? type.toUpperCase())))
}

/** The inputs of a variant in one line. */
export function formatInputs(inputs: VariantInputs): string {
  const { required, maxLength } = inputs.prompt
  const prompt = maxLength === 0 ? [] : [required ? 'a prompt' : 'an optional prompt']
  const taken = mediumNames.filter((medium) => inputs[medium].max > 0).map((medium) => formatCount(medium, inputs[medium]))
  return [...taken, ...prompt].join(', ') || 'nothing'
}

const figures = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })

/** The usual running time, and the slow one. */
export function formatRunSeconds({ typical, slow }: { typical: number; slow: number }): string {
  return typical === slow ? formatSeconds(typical) : `${formatSeconds(typical)}, up to ${formatSeconds(slow)}`
}

function formatSeconds(seconds: number): string {
  return seconds < 120 ? `${figures.format(seconds)} s` : `${figures.format(seconds / 60)} min`
}
