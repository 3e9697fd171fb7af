import {
  type EncodedPacket,
  EncodedPacketSink,
  FilePathSource,
  FLAC,
  Input,
  type InputFormat,
  type InputTrack,
  type InputVideoTrack,
  MP4,
  OGG,
  QuickTimeInputFormat,
  WAVE,
  WEBM,
} from 'mediabunny'
import type { FormatName } from '../mediaFormats.ts'
import { checkEbmlComplete } from './checkEbmlComplete.ts'
import { checkFlacComplete } from './checkFlacComplete.ts'
import { checkOggComplete } from './checkOggComplete.ts'
import { checkRiffComplete, checkWaveComplete } from './checkRiffComplete.ts'
import { readTopLevelBoxes } from './isoBoxes.ts'
import { type MediaLimits, requirePixels } from './mediaLimits.ts'
import type { ByteReader } from './openByteReader.ts'
import { skipId3 } from './skipId3.ts'
import { Unprocessable } from './unprocessable.ts'

export type AudioVideoFormat = Extract<FormatName, 'mp4' | 'mov' | 'webm' | 'wav' | 'flac' | 'ogg'>

/** Width and height as displayed, after rotation and pixel aspect ratio; `null` without video. The duration is measured from packets. */
export type AudioVideoInfo = { width: number | null; height: number | null; durationSeconds: number }

/** Files of old cameras have no brand. The signature was checked before, so the demuxer does not check it. */
class BrandlessQuickTime extends QuickTimeInputFormat {
  async _canReadInput(): Promise<boolean> {
    return true
  }
}

// Listed explicitly: the list of all formats includes playlists, which open other files.
const demuxers: Record<AudioVideoFormat, InputFormat> = {
  mp4: MP4,
  mov: new BrandlessQuickTime(),
  webm: WEBM,
  wav: WAVE,
  flac: FLAC,
  ogg: OGG,
}

const durationSecondsMax = 24 * 60 * 60
const tracksMax = 64
const lastPictureSecondsMax = 1

/** Measures video or audio without decoding. Truncated files are detected by their structure and by reading the last packets. */
export async function inspectAudioVideo(bytes: ByteReader, format: AudioVideoFormat, limits: MediaLimits): Promise<AudioVideoInfo> {
  checkComplete(bytes, format)
  // A tag before FLAC is skipped: the demuxer would parse it, and some tags make it loop forever.
  const source = new FilePathSource(bytes.path).slice(format === 'flac' ? skipId3(bytes) : 0)
  const input = new Input({ formats: [demuxers[format]], source })
  try {
    const tracks = await input.getTracks()
    if (tracks.length === 0) throw new Unprocessable(format === 'ogg' ? 'unsupported_codec' : 'no_tracks', 'neither video nor audio')
    if (tracks.length > tracksMax) throw new Unprocessable('too_complex', 'too many tracks')
    const durationSeconds = await measureDuration(bytes, format, tracks)
    const video = await input.getPrimaryVideoTrack()
    return { ...(video === null ? { width: null, height: null } : await measurePicture(video, limits)), durationSeconds }
  } finally {
    input.dispose()
  }
}

function checkComplete(bytes: ByteReader, format: AudioVideoFormat): void {
  if (format === 'mp4' || format === 'mov') readTopLevelBoxes(bytes)
  else if (format === 'webm') checkEbmlComplete(bytes)
  else if (format === 'ogg') checkOggComplete(bytes)
  else if (format === 'wav') {
    checkRiffComplete(bytes)
    checkWaveComplete(bytes)
  }
}

/** From the start of the first packet to the end of the last one, over all tracks. A single track may be empty. */
async function measureDuration(bytes: ByteReader, format: AudioVideoFormat, tracks: InputTrack[]): Promise<number> {
  let start = Number.POSITIVE_INFINITY
  let end = 0
  for (const track of tracks) {
    const span = await measureTrack(bytes, format, track)
    if (span === undefined) continue
    start = Math.min(start, span.start)
    end = Math.max(end, span.end)
  }
  if (start === Number.POSITIVE_INFINITY) throw new Unprocessable('no_content', 'tracks without a packet')
  // Time before zero is encoder delay and is not played.
  const seconds = end - Math.max(0, start)
  if (!(seconds > 0)) throw new Unprocessable('no_content', 'no duration')
  if (seconds > durationSecondsMax) throw new Unprocessable('corrupt', 'an implausible duration')
  return Math.round(seconds * 1e6) / 1e6
}

async function measureTrack(
  bytes: ByteReader,
  format: AudioVideoFormat,
  track: InputTrack,
): Promise<{ start: number; end: number } | undefined> {
  const sink = new EncodedPacketSink(track)
  if ((await sink.getFirstPacket({ metadataOnly: true })) === null) return undefined
  const first = await sink.getFirstPacket()
  const last = await sink.getPacket(Number.POSITIVE_INFINITY)
  if (first === null || last === null) throw new Unprocessable('truncated', 'packets are missing')
  const end = await endOf(track, last)
  if (format === 'flac') checkFlacComplete(bytes, last.data, last.timestamp + last.duration)
  return { start: first.timestamp, end }
}

/** WebM rarely contains the duration of its last frame. The duration of the metadata is used when it is close. */
async function endOf(track: InputTrack, last: EncodedPacket): Promise<number> {
  const measured = await track.computeDuration()
  if (last.duration > 0) return measured
  const declared = (await track.getDurationFromMetadata()) ?? measured
  return declared > measured && (measured === 0 || declared - measured < lastPictureSecondsMax) ? declared : measured
}

async function measurePicture(track: InputVideoTrack, limits: MediaLimits): Promise<{ width: number; height: number }> {
  const width = await track.getDisplayWidth()
  const height = await track.getDisplayHeight()
  if (!(width >= 1 && height >= 1)) throw new Unprocessable('corrupt', 'pictures without a size')
  requirePixels({ width, height }, limits)
  return { width, height }
}
