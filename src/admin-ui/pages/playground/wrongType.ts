import { formatTypes } from '../catalog/familyLabels.ts'

const kinds: Record<string, string> = { image: 'An image', video: 'A video', audio: 'An audio file', model: 'A 3D model', text: 'A text' }

const kindOf = (mimeType: string) => mimeType.split('/')[0] ?? ''

/** Says that an input field does not take content of this type. Undefined when it does, or when the type is not known yet. */
export function describeWrongType(mimeType: string | null | undefined, taken: readonly string[]): string | undefined {
  if (!mimeType || taken.includes(mimeType)) return undefined
  const found = isOtherMedium(mimeType, taken) ? kinds[kindOf(mimeType)] : formatTypes([mimeType])
  return `${found ?? mimeType}: this field takes ${formatTypes(taken)}.`
}

/** True for a file of another medium. Browsers derive the type from the name, so the format within a medium is uncertain. */
export function isOtherMedium(mimeType: string, taken: readonly string[]): boolean {
  return kindOf(mimeType) in kinds && taken.every((each) => kindOf(each) !== kindOf(mimeType))
}
