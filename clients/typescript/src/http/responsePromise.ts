/** The value of a call, and the response that it came in. Its body is already read. */
export type WithResponse<Value> = { data: Value; response: Response }

/** The promise of a call. `await` it for the value, or `withResponse()` for the status and the headers as well. */
export class ResponsePromise<Value> extends Promise<Value> {
  /** Chained promises are ordinary ones. */
  static override get [Symbol.species]() {
    return Promise
  }

  readonly #whole: Promise<WithResponse<Value>>

  constructor(whole: Promise<WithResponse<Value>>) {
    super(() => undefined)
    this.#whole = whole
  }

  withResponse(): Promise<WithResponse<Value>> {
    return this.#whole
  }

  /** `catch` and `finally` use it too, so that a call has one promise and an error is reported once. */
  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
  override then<Result = Value, Failure = never>(
    onValue?: ((value: Value) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#whole.then(({ data }) => data).then(onValue, onError)
  }
}
