import fc from 'fast-check'
import { oddNames, oddValues, writeJson } from './values.ts'

type Change = { how: 'drop' | 'replace' | 'add' | 'wrap' | 'repeat'; place: number; name: string; value: unknown }

/** JSON texts similar to `bodies`: fields dropped, added, replaced, wrapped and repeated, and sometimes invalid JSON. */
export function mutatedBodies(bodies: fc.Arbitrary<unknown>, identifiers: string[]): fc.Arbitrary<string | Buffer> {
  const change = fc.record<Change>({
    how: fc.constantFrom('replace', 'replace', 'add', 'drop', 'wrap', 'repeat'),
    place: fc.nat(),
    name: oddNames,
    value: oddValues(identifiers),
  })
  const changed = fc
    .tuple(bodies, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([body, changes]) => writeJson(changes.reduce(changedBy, body)))
  return fc.oneof(
    { weight: 9, arbitrary: changed },
    { weight: 1, arbitrary: fc.tuple(bodies, strangeWritings).map(([body, write]) => write(writeJson(body))) },
  )
}

type Path = (string | number)[]

function changedBy(body: unknown, { how, place, name, value }: Change): unknown {
  const paths = pathsOf(body)
  const path = paths[place % paths.length] ?? []
  return at(body, path, (here) => {
    switch (how) {
      case 'drop':
        return path.length === 0 ? here : dropped
      case 'replace':
        return value
      case 'add':
        return isObject(here) ? withMember(here, name, value) : Array.isArray(here) ? [...here, value] : { [name]: here }
      case 'wrap':
        return [here]
      case 'repeat':
        return Array.isArray(here) ? [...here, ...here, ...here] : [here, here]
    }
  })
}

const dropped = Symbol('dropped')

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Sets an own property, including `__proto__`. */
function withMember(object: object, name: string, value: unknown): object {
  return Object.fromEntries([...Object.entries(object), [name, value]])
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return [path, ...value.slice(0, 5).flatMap((each, index) => pathsOf(each, [...path, index]))]
  if (!isObject(value)) return [path]
  return [path, ...Object.entries(value).flatMap(([name, each]) => pathsOf(each, [...path, name]))]
}

function at(value: unknown, [step, ...rest]: Path, change: (here: unknown) => unknown): unknown {
  if (step === undefined) return change(value)
  const go = (each: unknown) => at(each, rest, change)
  if (Array.isArray(value)) return value.map((each, index) => (index === step ? go(each) : each)).filter((each) => each !== dropped)
  const members = Object.entries(value as object).map(([name, each]) => [name, name === step ? go(each) : each] as const)
  return Object.fromEntries(members.filter(([, each]) => each !== dropped))
}

const strangeWritings: fc.Arbitrary<(json: string) => string | Buffer> = fc.oneof(
  fc.nat({ max: 200 }).map((length) => (json: string) => json.slice(0, length % json.length)),
  fc
    .constantFrom('null', '[]', '"text"', '1', '{}', '', ' ', '{"__proto__":{}}', '['.repeat(100_000), '{"a":'.repeat(30_000))
    .map((text) => () => text),
  fc.constantFrom('\ufeff', '\0', '//', '[', ' \r\n\t', '\u00a0').map((start) => (json: string) => start + json),
  fc.constantFrom('}', ',', '\0', '{}', ' ', '\n').map((end) => (json: string) => json + end),
  fc.constantFrom('familyId', 'prompt', '__proto__', 'url').map((name) => (json: string) => `{"${name}":1,${json.slice(1)}`),
  fc.constantFrom([0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf8]).map((bytes) => (json: string) => {
    const [start, end] = [json.slice(0, json.length / 2), json.slice(json.length / 2)]
    return Buffer.concat([Buffer.from(start), Buffer.from(bytes), Buffer.from(end)])
  }),
  fc.constant((json: string) => Buffer.from(json, 'utf16le')),
  fc.constant((json: string) => `${json.slice(0, -1)},"prompt":"${'x'.repeat(270_000)}"}`),
)
