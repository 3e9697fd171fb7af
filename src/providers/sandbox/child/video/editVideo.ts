import { readFile, writeFile } from 'node:fs/promises'
import { ALL_FORMATS, BufferSource, BufferTarget, Conversion, EncodedVideoPacketSource, Input, Mp4OutputFormat, Output } from 'mediabunny'
import type { VideoToolTask } from '../../renderTask.ts'
import { inputsOf, requiredInput, unusableInput } from '../inputRefused.ts'
import { titleOf } from '../title.ts'
import { feedPackets } from './feedPackets.ts'
import { pictureSeconds } from './pictureSeconds.ts'
import { upscaledPictures } from './upscaledPictures.ts'
import { zeroMp4Times } from './zeroMp4Times.ts'

/** Makes an MP4 file from a video: with new pictures of twice the size, or with the sound of an audio file. The prompt becomes its title. */
export async function editVideo(task: VideoToolTask, resultPath: string): Promise<void> {
  const video = await openInput(task, 'video')
  try {
    await pictureSeconds(video)
    const file = task.tool === 'upscale' ? await upscaled(video, task) : await dubbed(video, task)
    zeroMp4Times(file)
    await writeFile(resultPath, file)
  } finally {
    video.dispose()
  }
}

async function openInput(task: VideoToolTask, medium: 'video' | 'audio'): Promise<Input> {
  const { path } = requiredInput(inputsOf(task.inputs, medium), 0)
  return new Input({ source: new BufferSource(await readFile(path)), formats: ALL_FORMATS })
}

async function upscaled(video: Input, task: VideoToolTask): Promise<Uint8Array> {
  const pictures = await upscaledPictures(video, task)
  const output = makeOutput(task)
  const sound = await copied(video, output, 'audio')
  const source = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(source)
  await output.start()
  await Promise.all([feedPackets(source, pictures), sound.utilizedTracks.length > 0 ? sound.execute() : undefined])
  return finished(output)
}

/** There is no video decoder here, so pictures and sound are copied packet by packet. */
async function dubbed(video: Input, task: VideoToolTask): Promise<Uint8Array> {
  const audio = await openInput(task, 'audio')
  try {
    if (!(await audio.getPrimaryAudioTrack().catch(() => null))) throw unusableInput()
    const output = makeOutput(task)
    const parts = [await copied(video, output, 'video'), await copied(audio, output, 'audio')]
    if (parts.some(({ utilizedTracks }) => utilizedTracks.length === 0)) throw unusableInput()
    await output.start()
    await Promise.all(parts.map((part) => part.execute()))
    return await finished(output)
  } finally {
    audio.dispose()
  }
}

type Mp4 = Output<Mp4OutputFormat, BufferTarget>

function makeOutput({ prompt }: VideoToolTask): Mp4 {
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target: new BufferTarget() })
  output.setMetadataTags({ title: titleOf(prompt) })
  return output
}

async function finished(output: Mp4): Promise<Uint8Array> {
  await output.finalize()
  return new Uint8Array(output.target.buffer ?? new ArrayBuffer())
}

/** The plan to copy the packets of the primary track of one kind. It uses no track when there is none that MP4 supports. */
function copied(input: Input, output: Mp4, kind: 'video' | 'audio'): Promise<Conversion> {
  return Conversion.init({
    input,
    output,
    tracks: 'primary',
    ...(kind === 'video' ? { audio: { discard: true } } : { video: { discard: true } }),
    copy: { mode: 'forced', shiftTolerance: Number.POSITIVE_INFINITY },
    composable: true,
    showWarnings: false,
  })
}
