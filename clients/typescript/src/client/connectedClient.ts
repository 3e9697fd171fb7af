import { type AtelierOptions, type Connection, connectionOf } from '../http/connection.ts'

/** The base of the client. Its connection is hidden from `console.log`, because it has the key. */
export class ConnectedClient {
  readonly #connection: Connection

  /** Without options, the address and the key are read from ATELIER_URL and ATELIER_KEY. Throws a TypeError for invalid ones. */
  constructor(options: AtelierOptions = {}) {
    this.#connection = connectionOf(options)
  }

  /** The URL of the API that the client uses, with its version. */
  get baseUrl(): string {
    return this.#connection.baseUrl
  }

  protected get connection(): Connection {
    return this.#connection
  }
}
