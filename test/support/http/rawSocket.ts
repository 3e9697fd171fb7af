import { connect, type Socket } from 'node:net'

export type RawAnswer = {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  text: string
}

export type RawExchange = {
  /** The answers, in order. */
  answers: RawAnswer[]
  /** True if the server closed the connection. */
  closed: boolean
}

/**
 * Sends `what` on a new connection and reads until the server closes it, `answersWanted` answers have arrived, or
 * `patienceMs` have passed. Text is sent as Latin-1.
 */
export async function exchange(
  port: number,
  what: string | Buffer,
  { answersWanted = 1, patienceMs = 5000 }: { answersWanted?: number; patienceMs?: number } = {},
): Promise<RawExchange> {
  const socket = await opened(port)
  const chunks: Buffer[] = []
  return new Promise((resolve) => {
    const done = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ answers: answersIn(Buffer.concat(chunks)), closed })
    }
    const timer = setTimeout(() => done(false), patienceMs)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (answersIn(Buffer.concat(chunks)).length < answersWanted) return
      // Includes a close that follows at once.
      setTimeout(() => done(false), 50)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => done(true))
    socket.write(typeof what === 'string' ? Buffer.from(what, 'latin1') : what)
  })
}

/** An open connection; its errors are ignored. */
export function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.off('error', reject)
      socket.on('error', () => undefined)
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

/** Reads responses with a Content-Length; skips interim ones. */
function answersIn(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let at = 0; ; ) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    if (headEnd === -1) return answers
    const [first = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n')
    const status = Number(first.split(' ')[1])
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    )
    const end = headEnd + 4 + Number(headers['content-length'] ?? 0)
    if (bytes.length < end) return answers
    if (status >= 200) answers.push({ status, headers, text: bytes.toString('utf8', headEnd + 4, end) })
    at = end
  }
}
