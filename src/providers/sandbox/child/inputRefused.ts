import type { Failure } from '../../../contract/failures/failures.ts'
import type { RenderInput } from '../renderTask.ts'

/** An unusable input, found while rendering. Becomes the result `refused`. */
export class InputRefused extends Error {
  readonly failure: Failure

  constructor(failure: Failure, options?: { cause: unknown }) {
    super(`${failure.code}/${failure.reason}`, options)
    this.name = 'InputRefused'
    this.failure = failure
  }
}

/** The input at this place. Throws {@link InputRefused} when it is missing. */
export function requiredInput(inputs: RenderInput[], place: number): RenderInput {
  const input = inputs[place]
  if (!input) throw unusableInput()
  return input
}

/** The inputs of a medium, in order. */
export function inputsOf(inputs: RenderInput[], medium: 'image' | 'video' | 'audio' | 'model'): RenderInput[] {
  return inputs.filter(({ mimeType }) => mimeType.startsWith(`${medium}/`))
}

/** For an input that is not an image. */
export function unusableInput(cause?: unknown): InputRefused {
  return new InputRefused({ code: 'parameter_validation', reason: 'input_rejected_by_model' }, { cause })
}
