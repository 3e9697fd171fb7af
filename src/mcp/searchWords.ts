import type { Task } from '../contract/shapes/tasks.ts'

/** Synonyms of each task for the search index. */
export const wordsOfTask: Readonly<Record<Task, string>> = {
  'text-to-image': 'picture photo photograph drawing illustration logo icon poster art draw paint design',
  'image-to-image': 'edit change restyle combine variation photo picture',
  inpaint: 'fill mask retouch repair erase object part edit photo picture',
  'upscale-image': 'enlarge enhance sharpen resolution bigger larger photo picture',
  'remove-background': 'cutout cut out transparent isolate photo picture',
  'text-to-video': 'clip movie film animation',
  'image-to-video': 'animate animation clip movie film move photo picture',
  'video-to-video': 'edit change restyle clip movie film',
  'upscale-video': 'enlarge enhance sharpen resolution bigger larger clip movie film',
  'lip-sync': 'lips mouth talk talking speaking dub avatar face video',
  'text-to-speech': 'voice over voiceover narrate narration narrator read aloud speak say tts audio',
  'text-to-audio': 'sound effect noise sfx ambience',
  'text-to-music': 'song melody soundtrack jingle instrumental compose audio',
  'audio-to-audio': 'voice sound change convert edit remix clean',
  'text-to-3d': 'model mesh object shape sculpture figurine glb',
  'image-to-3d': 'model mesh object shape sculpture figurine glb photo picture',
  'retexture-3d': 'texture material color paint model mesh',
}

/** Words of a search that tell families apart in no way. */
export const stopWords: ReadonlySet<string> = new Set(
  'a an and any are as at be by can create do for from generate get give i in into is it its make me my of on one or please some something tool model models family families that the this to turn use using want which with you'.split(
    ' ',
  ),
)
