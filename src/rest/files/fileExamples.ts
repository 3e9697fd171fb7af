import type { PublicFile } from '../../contract/shapes/file.ts'
import type { Example } from '../endpoint.ts'

const image: PublicFile = {
  fileId: 'file_01kabc5m1dexampleexample00',
  state: 'ready',
  type: 'image',
  mimeType: 'image/png',
  sizeBytes: 48_213,
  width: 768,
  height: 512,
  durationSeconds: null,
  usableIn: ['imageIds'],
  createdAt: '2026-11-20T12:00:00.000Z',
  expiresAt: '2026-12-20T12:00:00.000Z',
}

const video: PublicFile = {
  ...image,
  state: 'processing',
  type: 'video',
  mimeType: 'video/mp4',
  sizeBytes: 18_400_112,
  width: null,
  height: null,
  usableIn: ['videoId', 'videoIds'],
  pollAfterSeconds: 2,
}

export const fileExamples: Record<string, Example> = {
  ready: { summary: 'An image', value: image },
  processing: { summary: 'A video that is being processed', value: video },
}

export const fileListExamples: Record<string, Example> = {
  page: { summary: 'The newest files', value: { items: [video, image], nextCursor: null } },
}
