import { FileRefused } from './readFile.ts'
import { stillWidth } from './stills.ts'

/** Draws the first frame of a video. The browser loads the part of the file that it needs for it. */
export async function drawVideoFrame(path: string, signal: AbortSignal): Promise<string> {
  const video = document.createElement('video')
  Object.assign(video, { muted: true, playsInline: true, preload: 'metadata', ariaHidden: 'true' })
  // Browsers paint only videos that are in the page.
  video.style.cssText = 'position: fixed; left: -9999px; top: 0'
  document.body.append(video)
  try {
    await firstPaint(video, path, signal)
    const { videoWidth, videoHeight } = video
    const canvas = document.createElement('canvas')
    canvas.width = stillWidth
    canvas.height = Math.max(1, Math.min(2 * stillWidth, Math.round((stillWidth * videoHeight) / Math.max(1, videoWidth))))
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
    return canvas.toDataURL('image/jpeg', 0.8)
  } finally {
    video.remove()
    // Frees the decoder and ends the download.
    video.removeAttribute('src')
    video.load()
  }
}

/** The event `loadeddata` is not enough: the picture may still be black then. */
function firstPaint(video: HTMLVideoElement, path: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    video.requestVideoFrameCallback(() => resolve())
    video.addEventListener('error', () => reject(new FileRefused()), { once: true })
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    video.src = path
  })
}
