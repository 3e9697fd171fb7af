import { expect, test } from 'vitest'
import { collectUrls, findOutputUrls, toOutputs } from '../../../src/providers/outputs/outputUrls.ts'

const png = { url: 'https://cdn.example.com/a.png', content_type: 'image/png' }
const wav = { url: 'https://cdn.example.com/a.wav', content_type: 'audio/wav' }

test('a URL is found with its declared type, in the order of the paths and of the lists', () => {
  const answer = { images: [png, { url: wav.url }], thumbnail: 'https://cdn.example.com/t.png' }
  expect(findOutputUrls(answer, ['images.*.url', 'thumbnail'])).toEqual([
    { url: png.url, mimeType: 'image/png' },
    { url: wav.url },
    { url: answer.thumbnail },
  ])
})

test('an answer that is a URL, or a list or object of URLs, yields all of them', () => {
  expect(collectUrls(png.url)).toEqual([{ url: png.url }])
  expect(collectUrls([png.url, wav.url])).toEqual([{ url: png.url }, { url: wav.url }])
  expect(collectUrls({ model: wav.url, previews: [png.url], seconds: 3, note: 'done' })).toEqual([{ url: wav.url }, { url: png.url }])
})

test.each([undefined, null, 7, { images: 'none' }])('%j has no URL', (answer) => {
  expect(findOutputUrls(answer, 'images.*.url')).toEqual([])
  expect(collectUrls(answer ?? null)).toEqual([])
})

test('any text at the output path counts as a URL, and fetchOutput checks it', () => {
  expect(collectUrls('file:///etc/passwd')).toEqual([{ url: 'file:///etc/passwd' }])
  expect(findOutputUrls({ images: [{ url: 'nothing at all' }] }, 'images.*.url')).toEqual([{ url: 'nothing at all' }])
  expect(collectUrls([`data:image/png;base64,${'A'.repeat(20_000)}`])[0]?.url).toHaveLength(8_192)
})

test('outputs declared as another medium are left out, unless there are no others', () => {
  const addresses = findOutputUrls({ files: [wav, png] }, 'files.*.url')
  expect(toOutputs(addresses, 'image')).toEqual([{ data: { url: png.url }, mimeType: 'image/png' }])
  expect(toOutputs(addresses.slice(0, 1), 'image')).toEqual([{ data: { url: wav.url }, mimeType: 'audio/wav' }])
  expect(toOutputs([{ url: png.url, mimeType: 'application/octet-stream' }], 'model3d')).toHaveLength(1)
})

test('URLs in a renamed field are found; an empty output field means no output', () => {
  const renamed = { model_mesh: { url: 'https://out.example.com/a.glb', content_type: 'model/gltf-binary' }, seed: 7, words: 'a kite' }

  expect(findOutputUrls(renamed, ['model_glb.url'])).toEqual([{ url: 'https://out.example.com/a.glb', mimeType: 'model/gltf-binary' }])
  expect(findOutputUrls('https://out.example.com/a.glb', 'model_file')).toEqual([{ url: 'https://out.example.com/a.glb' }])
  expect(findOutputUrls({ images: [], input: { url: 'https://in.example.com/mine.png' } }, 'images.*.url')).toEqual([])
  expect(findOutputUrls(undefined, 'images.*.url')).toEqual([])
})
