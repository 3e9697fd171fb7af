import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const contractPath = 'docs/contract.md'
const contract = readFileSync(join(root, contractPath), 'utf8')

const texts = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => /\.(ts|tsx|js|py|md|sql|json|ya?ml)$/.test(path) && existsSync(join(root, path)))
  // This file contains a broken link and old citations on purpose.
  .filter((path) => !path.startsWith('docs/decisions/') && path !== 'test/gates/contractLinks.test.ts')
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** The headings of a page outside code blocks, with their levels. */
function headingsOf(markdown: string): { level: number; title: string }[] {
  const prose = markdown.replaceAll(/^```.*?^```/gms, '')
  return [...prose.matchAll(/^(#{1,6}) (.+)$/gm)].map(([, marks = '', title = '']) => ({ level: marks.length, title }))
}

/** The anchor of a unique heading on GitHub and our site. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

const slugs = headingsOf(contract).map(({ title }) => slugOf(title))

/** Links to sections of the contract: from code by path, from other pages by name, within it by anchor. */
function linkedSections({ path, text }: { path: string; text: string }): string[] {
  const form = path === contractPath ? /\]\(#([\w-]+)\)/g : /\bcontract\.md#([\w-]+)/g
  return [...text.matchAll(form)].map(([, anchor = '']) => anchor)
}

/** Citations of documents outside the repository. */
function oldCitations(text: string): string[] {
  return [...text.matchAll(/\bSpec: |\b[Cc]ontract(?:: |, |'s )sections? \d|\bContract: (?:GET|POST|DELETE) /g)].map(([found]) => found)
}

test('every link to the contract leads to an existing section', () => {
  const links = texts.flatMap((file) => linkedSections(file).map((anchor) => ({ path: file.path, anchor })))
  expect(links.length).toBeGreaterThan(200)
  expect(links.filter(({ anchor }) => !slugs.includes(anchor))).toEqual([])
})

test('the anchors of the contract are unique', () => {
  expect(slugs.filter((slug, index) => slugs.indexOf(slug) !== index)).toEqual([])
})

test('no file cites a document outside the repository', () => {
  expect(texts.flatMap(({ path, text }) => oldCitations(text).map((found) => ({ path, found })))).toEqual([])
})

test('a broken link and an old citation are found', () => {
  const [cited, linked] = ['/** Spec: Limits. Contract: section 4, details. */', '/** Contract: docs/contract.md#no-such-section. */']
  expect(oldCitations(cited)).toEqual(['Spec: ', 'Contract: section 4'])
  expect(linkedSections({ path: 'src/x.ts', text: linked })).toEqual(['no-such-section'])
  expect(slugs).not.toContain('no-such-section')
  expect(headingsOf('## One `two`\n```sh\n# no heading\n```\n### Three').map(({ title }) => slugOf(title))).toEqual(['one-two', 'three'])
})
