import { expect, test } from 'vitest'
import { allowedMimeTypes, mediaFormats, mimeTypeMatches, needsProcessingJob } from '../../src/media/mediaFormats.ts'

test('the accepted formats are those of the contract, with one type each', () => {
  expect(Object.keys(mediaFormats).join(' ')).toBe('png jpeg webp gif avif heic mp4 mov webm mp3 wav flac ogg m4a glb gltf obj stl usdz')
  expect(new Set(allowedMimeTypes).size).toBe(allowedMimeTypes.length)
})

test('a declared type fits a format by its name, an alias, or a generic type', () => {
  expect(mimeTypeMatches('image/jpg', 'jpeg')).toBe(true)
  expect(mimeTypeMatches(' IMAGE/JPEG ; q=1', 'jpeg')).toBe(true)
  expect(mimeTypeMatches('application/octet-stream', 'usdz')).toBe(true)
  expect(mimeTypeMatches('image/png', 'jpeg')).toBe(false)
  expect(mimeTypeMatches('image/*', 'jpeg')).toBe(false)
  expect(mimeTypeMatches('', 'jpeg')).toBe(false)
})

const mebibyte = 1024 * 1024

test('large video and audio files need a job, images and models never do', () => {
  expect(needsProcessingJob({ type: 'video', sizeBytes: 4 * mebibyte })).toBe(false)
  expect(needsProcessingJob({ type: 'video', sizeBytes: 4 * mebibyte + 1 })).toBe(true)
  expect(needsProcessingJob({ type: 'audio', sizeBytes: 12 * mebibyte })).toBe(false)
  expect(needsProcessingJob({ type: 'audio', sizeBytes: 12 * mebibyte + 1 })).toBe(true)
  expect(needsProcessingJob({ type: 'image', sizeBytes: 25 * mebibyte })).toBe(false)
  expect(needsProcessingJob({ type: 'model3d', sizeBytes: 25 * mebibyte })).toBe(false)
})
