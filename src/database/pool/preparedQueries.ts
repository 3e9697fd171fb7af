import pg from 'pg'

/** Writes a parameter as PostgreSQL reads it. The types of `pg` leave it out. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

type Fields = readonly pg.FieldDef[]
type Parser = (text: string) => unknown
/** The result columns of a prepared statement, and a row of nulls of their names. */
type Description = { fields: Fields; parsers: readonly Parser[]; emptyRow: Record<string, unknown> }

type Config = Pick<pg.QueryArrayConfig, 'text' | 'values'> & { name: string; rowMode?: 'array' }
type Result = { command: string; rowCount: number | null; rows: unknown[]; fields: Fields }
type Callback = (error: Error | null, result?: Result) => void

/** The parts of a connection of `pg` that its types leave out. */
type Connection = {
  stream: { cork(): void; uncork(): void }
  parsedStatements: Record<string, string | undefined>
  parse(config: { name: string; text: string }): void
  bind(config: { statement: string; values: unknown[] }): void
  describe(config: { type: 'P'; name: string }): void
  execute(config: { portal: string }): void
  sync(): void
  sendCopyFail(reason: string): void
}

/**
 * Makes a client ask for the result columns of a named statement only once. `pg` asks at each execution: PostgreSQL then writes, and this
 * process parses, some kilobytes of descriptions before each row of a wide table. A change of the columns makes PostgreSQL refuse the
 * statement, so a kept description cannot be outdated.
 */
export function describeStatementsOnce(client: pg.Client): void {
  const query = client.query.bind(client) as (...values: unknown[]) => unknown
  const known = new Map<string, Description>()
  const typeOf = (oid: number) => client.getTypeParser(oid, 'text') as Parser
  const ask = (config: unknown, values?: unknown, callback?: unknown) => {
    if (!isNamed(config) || values !== undefined || callback !== undefined) return query(config, values, callback)
    return new Promise<Result>((resolve, reject) => {
      const done: Callback = (error, result) => (error ? reject(error) : resolve(result as Result))
      query(new PreparedQuery(config, { known, typeOf, callback: done }))
    })
  }
  client.query = ask as typeof client.query
}

function isNamed(config: unknown): config is Config {
  return typeof config === 'object' && config !== null && Boolean((config as Config).name) && !('submit' in config)
}

type Options = { known: Map<string, Description>; typeOf(oid: number): Parser; callback: Callback }

/** One execution, as `pg` expects it of objects that submit themselves. */
class PreparedQuery {
  readonly name: string
  readonly text: string
  callback: Callback
  readonly #options: Options
  readonly #values: unknown[] | undefined
  readonly #asArray: boolean
  readonly #rows: unknown[] = []
  #command = ''
  #rowCount: number | null = null
  #failure: Error | undefined

  constructor({ name, text, values, rowMode }: Config, options: Options) {
    this.name = name
    this.text = text
    this.callback = options.callback
    this.#options = options
    this.#values = values
    this.#asArray = rowMode === 'array'
  }

  submit(connection: Connection): Error | null {
    const { name, text } = this
    const parsed = connection.parsedStatements[name]
    if (parsed !== undefined && parsed !== text) return new Error(`the statement name ${name} is used for two statements`)
    let values: unknown[]
    try {
      values = (this.#values ?? []).map((value) => prepareValue(value))
    } catch (error) {
      return error as Error
    }
    // One packet for all messages.
    connection.stream.cork()
    try {
      if (parsed === undefined) connection.parse({ name, text })
      connection.bind({ statement: name, values })
      if (parsed === undefined || !this.#options.known.has(name)) connection.describe({ type: 'P', name: '' })
      connection.execute({ portal: '' })
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
    return null
  }

  handleRowDescription({ fields }: { fields: Fields }): void {
    const emptyRow = Object.fromEntries(fields.map(({ name }) => [name, null]))
    this.#options.known.set(this.name, { fields, parsers: fields.map(({ dataTypeID }) => this.#options.typeOf(dataTypeID)), emptyRow })
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      this.#rows.push(this.#rowOf(fields))
    } catch (error) {
      this.#failure ??= error as Error
    }
  }

  #rowOf(texts: (string | null)[]): unknown {
    const { parsers, fields, emptyRow } = this.#description()
    if (this.#asArray) return texts.map((text, index) => (text === null ? null : parsers[index]?.(text)))
    const row = { ...emptyRow }
    for (const [index, { name }] of fields.entries()) {
      const text = texts[index] ?? null
      row[name] = text === null ? null : parsers[index]?.(text)
    }
    return row
  }

  #description(): Description {
    return this.#options.known.get(this.name) ?? { fields: [], parsers: [], emptyRow: {} }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const [, command = '', count] = /^([A-Z]+)(?: \d+)?? ?(\d+)?$/.exec(text) ?? [undefined, text.split(' ')[0]]
    this.#command = command
    this.#rowCount = count === undefined ? null : Number(count)
  }

  handleReadyForQuery(): void {
    if (this.#failure) return this.callback(this.#failure)
    const { fields } = this.#description()
    this.callback(null, { command: this.#command, rowCount: this.#rowCount, rows: this.#rows, fields })
  }

  handleError(error: Error): void {
    this.callback(this.#failure ?? error)
  }

  handleEmptyQuery(): void {
    // ReadyForQuery follows.
  }

  handleCopyInResponse(connection: Connection): void {
    connection.sendCopyFail('No source stream defined')
  }

  handleCopyData(): void {
    // Nobody asked for it.
  }
}
