export type MediaType = 'image' | 'video' | 'audio' | 'model3d'

type MediaFormat = { type: MediaType; mimeType: string; aliases: readonly string[] }

/**
 * Every format that an input file may have: its kind, the one name under which it is reported, and the other names that a
 * caller may declare for it without contradicting the content. Contract: docs/contract.md#file-formats.
 */
export const mediaFormats = {
  png: { type: 'image', mimeType: 'image/png', aliases: ['image/x-png', 'image/apng', 'image/vnd.mozilla.apng'] },
  jpeg: { type: 'image', mimeType: 'image/jpeg', aliases: ['image/jpg', 'image/pjpeg', 'image/jfif'] },
  webp: { type: 'image', mimeType: 'image/webp', aliases: [] },
  gif: { type: 'image', mimeType: 'image/gif', aliases: [] },
  avif: { type: 'image', mimeType: 'image/avif', aliases: ['image/heif'] },
  heic: { type: 'image', mimeType: 'image/heic', aliases: ['image/heif'] },
  mp4: { type: 'video', mimeType: 'video/mp4', aliases: ['video/x-m4v', 'video/m4v', 'application/mp4'] },
  mov: { type: 'video', mimeType: 'video/quicktime', aliases: ['video/mov', 'video/x-quicktime'] },
  webm: { type: 'video', mimeType: 'video/webm', aliases: [] },
  mp3: { type: 'audio', mimeType: 'audio/mpeg', aliases: ['audio/mp3', 'audio/mpeg3', 'audio/x-mpeg', 'audio/x-mp3', 'audio/x-mpeg-3'] },
  wav: { type: 'audio', mimeType: 'audio/wav', aliases: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave', 'audio/x-pn-wav'] },
  flac: { type: 'audio', mimeType: 'audio/flac', aliases: ['audio/x-flac'] },
  ogg: { type: 'audio', mimeType: 'audio/ogg', aliases: ['application/ogg', 'audio/x-ogg', 'audio/opus', 'audio/vorbis'] },
  m4a: { type: 'audio', mimeType: 'audio/mp4', aliases: ['audio/m4a', 'audio/x-m4a', 'audio/m4b', 'application/mp4'] },
  glb: { type: 'model3d', mimeType: 'model/gltf-binary', aliases: ['model/glb'] },
  gltf: { type: 'model3d', mimeType: 'model/gltf+json', aliases: ['model/gltf', 'application/json', 'text/plain'] },
  obj: { type: 'model3d', mimeType: 'model/obj', aliases: ['model/x-obj', 'application/object', 'application/x-tgif', 'text/plain'] },
  stl: {
    type: 'model3d',
    mimeType: 'model/stl',
    aliases: ['model/x.stl-ascii', 'model/x.stl-binary', 'application/sla', 'application/vnd.ms-pki.stl', 'application/x-navistyle'],
  },
  usdz: {
    type: 'model3d',
    mimeType: 'model/vnd.usdz+zip',
    aliases: ['model/vnd.usdz', 'model/vnd.pixar.usd', 'model/usd', 'application/zip'],
  },
} as const satisfies Record<string, MediaFormat>

export type FormatName = keyof typeof mediaFormats

/** The names under which accepted files are reported, in the order of the table; `allowed` of a refusal. */
export const allowedMimeTypes: readonly string[] = Object.values(mediaFormats).map((format) => format.mimeType)

/** Whether a caller who declares `mimeType` may mean `format`; parameters and letter case do not count, and a generic type says nothing. */
export function mimeTypeMatches(mimeType: string, format: FormatName): boolean {
  const declared = (mimeType.split(';')[0] ?? '').trim().toLowerCase()
  const accepted: MediaFormat = mediaFormats[format]
  return declared === 'application/octet-stream' || declared === accepted.mimeType || accepted.aliases.includes(declared)
}

const heavyVideoBytes = 4 * 1024 * 1024
const heavyAudioBytes = 12 * 1024 * 1024

/** Whether a file of any kind is heavy at this size. */
export function mayNeedProcessingJob(sizeBytes: number): boolean {
  return sizeBytes > Math.min(heavyVideoBytes, heavyAudioBytes)
}

/**
 * Whether a file is worth a job of its own, so that its upload is answered with the state `processing`: video over 4 MiB and
 * audio over 12 MiB. Images and models are measured while the caller waits.
 */
export function needsProcessingJob(file: { type: MediaType; sizeBytes: number }): boolean {
  if (file.type === 'video') return file.sizeBytes > heavyVideoBytes
  return file.type === 'audio' && file.sizeBytes > heavyAudioBytes
}
