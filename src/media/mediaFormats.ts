export type MediaType = 'image' | 'video' | 'audio' | 'model3d'

type MediaFormat = { type: MediaType; mimeType: string; aliases: readonly string[] }

/**
 * The accepted formats of input files: the media type, the MIME type in answers, and other MIME types that a caller may declare.
 * Contract: docs/contract.md#file-formats.
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

/** The MIME types of accepted files, in table order; `allowed` of a refusal. */
export const allowedMimeTypes: readonly string[] = Object.values(mediaFormats).map((format) => format.mimeType)

/** True when the declared `mimeType` fits `format`. Parameters and letter case are ignored, and a generic type fits every format. */
export function mimeTypeMatches(mimeType: string, format: FormatName): boolean {
  const declared = (mimeType.split(';')[0] ?? '').trim().toLowerCase()
  const accepted: MediaFormat = mediaFormats[format]
  return declared === 'application/octet-stream' || declared === accepted.mimeType || accepted.aliases.includes(declared)
}

/** True for content that has a thumbnail: images, and WAV files with their waveform. Contract: docs/contract.md#thumbnails. */
export function hasThumbnail({ type, mimeType }: { type: string | null; mimeType: string | null }): boolean {
  return type === 'image' || mimeType === mediaFormats.wav.mimeType
}

const heavyVideoBytes = 4 * 1024 * 1024
const heavyAudioBytes = 12 * 1024 * 1024

/** True when a file of this size may need a job, depending on its type. */
export function mayNeedProcessingJob(sizeBytes: number): boolean {
  return sizeBytes > Math.min(heavyVideoBytes, heavyAudioBytes)
}

/**
 * True when a file is inspected in a job and its upload returns the state `processing`: video over 4 MiB and audio over 12 MiB. Images
 * and models are inspected during the upload.
 */
export function needsProcessingJob(file: { type: MediaType; sizeBytes: number }): boolean {
  if (file.type === 'video') return file.sizeBytes > heavyVideoBytes
  return file.type === 'audio' && file.sizeBytes > heavyAudioBytes
}
