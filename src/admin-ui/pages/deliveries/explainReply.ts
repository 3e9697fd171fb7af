/** The outcome of an attempt, as logged. */
export type Reply = { responseCode: number | null; refusalText: string | null; responseSnippet: string | null }

/** The reason of a failure, without the appended first bytes of the response. */
export function reasonOf({ refusalText, responseSnippet }: Reply): string | null {
  const tail = responseSnippet === null ? '' : `: ${responseSnippet}`
  return refusalText !== null && tail !== '' && refusalText.endsWith(tail) ? refusalText.slice(0, -tail.length) : refusalText
}

/** A short outcome for a table row. */
export function outcomeOf(reply: Reply): string {
  return reasonOf(reply) ?? (reply.responseCode === null ? '–' : `answered ${reply.responseCode}`)
}

const byCode: Record<number, string> = {
  400: 'The receiver rejected the request. A receiver with the wrong secret often answers like this.',
  401: 'The receiver requires a login. Webhooks have none: let the receiver check the signature instead.',
  403: 'The receiver denied access. Check its firewall, and the secret that it checks signatures with.',
  404: 'Nothing exists at this address. Check the path.',
  405: 'This address does not accept POST.',
  410: 'The address was permanently removed.',
  413: 'The event is larger than the receiver accepts.',
  429: 'The receiver gets too many requests at the moment.',
}

/** Prefixes of reasons, with an explanation for the owner of the receiver. */
const byReason: [start: RegExp, words: string][] = [
  [/^answered 4/, 'The receiver refused the request.'],
  [/^answered 5/, 'The receiver, or a proxy in front of it, has an error.'],
  [/^redirect/, 'Redirects are not followed. Add a webhook with the target address.'],
  [/^no answer within/, 'The receiver did not answer in time. Answer first, then process the event.'],
  [/^answer not complete/, 'The response did not end in time. Answer first, then process the event.'],
  [
    /^(no connection|TLS handshake not complete) within/,
    'The receiver could not be reached in time. Check that it runs and that no firewall blocks the connection.',
  ],
  [/^connection refused/, 'Nothing listens on this port. Check that the receiver runs, and check the port.'],
  [/^connection (reset|closed)/, 'The receiver closed the connection before it answered.'],
  [/^TLS certificate/, 'Its certificate is not trusted, so nothing was sent.'],
  [/^no TLS/, 'The receiver uses plain HTTP, but the address says https.'],
  [/^name /, 'The host name of the address could not be resolved.'],
  [/^address is/, 'Webhooks may not be sent to this address.'],
  [/^answer (is not HTTP|headers)/, 'The response is not valid HTTP, or its headers are too large.'],
  [/^cut short/, 'The service stopped during the attempt. It is repeated and does not count as a retry.'],
  [/^the subscription was deleted/, 'The webhook was deleted before this was delivered.'],
]

/** Explains the outcome of an attempt: what happened, and what it means. */
export function explainReply(reply: Reply): { happened: string; means: string | undefined } {
  const reason = reasonOf(reply)
  const { responseCode } = reply
  if (reason === null) {
    const happened = responseCode === null ? 'No attempt has ended yet.' : `The receiver answered ${responseCode} and has the event.`
    return { happened, means: undefined }
  }
  const own = reason.startsWith('answered') && responseCode !== null ? byCode[responseCode] : undefined
  return { happened: sentenceOf(reason), means: own ?? byReason.find(([start]) => start.test(reason))?.[1] }
}

function sentenceOf(reason: string): string {
  if (reason.startsWith('answered')) return `The receiver ${reason}; only an answer from 200 to 299 is success.`
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\' }

/** The first bytes of a reply as the receiver sent them, JSON with indentation. Invisible characters and invalid bytes stay escaped. */
export function showReply(snippet: string): string {
  const text = snippet.replaceAll(/\\([nrt\\])/g, (whole, letter: string) => escapes[letter] ?? whole)
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Not JSON, or only its beginning.
    return text
  }
}
