import { expect, test } from 'vitest'
import { allowedMimeTypes, isHeavy, mayMean, mediaFormats } from '../../src/media/mediaFormats.ts'

test('the accepted formats are those of the contract, each under one name', () => {
  expect(Object.keys(mediaFormats).join(' ')).toBe('png jpeg webp gif avif heic mp4 mov webm mp3 wav flac ogg m4a glb gltf obj stl usdz')
  expect(new Set(allowedMimeTypes).size).toBe(allowedMimeTypes.length)
})

test('a declared type means a format by its name, by another name, or by saying nothing', () => {
  expect(mayMean('image/jpg', 'jpeg')).toBe(true)
  expect(mayMean(' IMAGE/JPEG ; q=1', 'jpeg')).toBe(true)
  expect(mayMean('application/octet-stream', 'usdz')).toBe(true)
  expect(mayMean('image/png', 'jpeg')).toBe(false)
  expect(mayMean('image/*', 'jpeg')).toBe(false)
  expect(mayMean('', 'jpeg')).toBe(false)
})

const mebibyte = 1024 * 1024

test('large video and sound are heavy, images and models never', () => {
  expect(isHeavy({ type: 'video', sizeBytes: 4 * mebibyte })).toBe(false)
  expect(isHeavy({ type: 'video', sizeBytes: 4 * mebibyte + 1 })).toBe(true)
  expect(isHeavy({ type: 'audio', sizeBytes: 12 * mebibyte })).toBe(false)
  expect(isHeavy({ type: 'audio', sizeBytes: 12 * mebibyte + 1 })).toBe(true)
  expect(isHeavy({ type: 'image', sizeBytes: 25 * mebibyte })).toBe(false)
  expect(isHeavy({ type: 'model3d', sizeBytes: 25 * mebibyte })).toBe(false)
})
