import sharp, { type Sharp } from 'sharp'
import { type FormatName, mediaFormats } from '../../../src/media/mediaFormats.ts'
import { flacSample, m4aSample, mp3Sample, oggSample, wavSample } from './audioSamples.ts'
import { heicSample } from './heicSample.ts'
import { glbSample, gltfSample, objSample, stlSample, usdzSample } from './modelSamples.ts'
import { movSample, mp4Sample, webmSample } from './videoSamples.ts'

/** The dimensions of every sample image, and the duration of audio and video, with a tolerance of one packet. */
export const sampleWidth = 64
export const sampleHeight = 48
export const sampleSeconds = 1

/** Every accepted format, for tests that go through all of them. */
export const sampleKinds = Object.keys(mediaFormats) as FormatName[]

const cache = new Map<FormatName, Promise<Buffer>>()

/** A small valid file of the format, created once per process. Callers get a copy that they may change. */
export async function sampleFile(kind: FormatName): Promise<Buffer> {
  let made = cache.get(kind)
  if (made === undefined) {
    made = makers[kind]()
    cache.set(kind, made)
  }
  return Buffer.from(await made)
}

/** Noise, so that every byte of the compressed picture matters. */
function picture(): Sharp {
  return sharp({
    create: {
      width: sampleWidth,
      height: sampleHeight,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
}

const size = { width: sampleWidth, height: sampleHeight, seconds: sampleSeconds }

const makers: Record<FormatName, () => Promise<Buffer>> = {
  png: () => picture().png().toBuffer(),
  jpeg: () => picture().jpeg().toBuffer(),
  webp: () => picture().webp().toBuffer(),
  gif: () => picture().gif().toBuffer(),
  avif: () => picture().avif({ effort: 0 }).toBuffer(),
  heic: async () => heicSample(size),
  mp4: () => mp4Sample(size),
  mov: () => movSample(size),
  webm: () => webmSample(size),
  mp3: () => mp3Sample(sampleSeconds),
  wav: async () => wavSample(sampleSeconds),
  flac: async () => flacSample(sampleSeconds),
  ogg: () => oggSample(sampleSeconds),
  m4a: () => m4aSample(sampleSeconds),
  glb: () => glbSample(),
  gltf: async () => gltfSample(),
  obj: async () => objSample(),
  stl: async () => stlSample(),
  usdz: async () => usdzSample(),
}
