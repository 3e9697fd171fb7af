/** What an attempt came to, as the log tells it. */
export type Reply = { responseCode: number | null; refusalText: string | null; responseSnippet: string | null }

/** Why it failed, without the first bytes of the answer that stand behind it. */
export function reasonOf({ refusalText, responseSnippet }: Reply): string | null {
  const tail = responseSnippet === null ? '' : `: ${responseSnippet}`
  return refusalText !== null && tail !== '' && refusalText.endsWith(tail) ? refusalText.slice(0, -tail.length) : refusalText
}

/** In a few words, for a row. */
export function outcomeOf(reply: Reply): string {
  return reasonOf(reply) ?? (reply.responseCode === null ? '–' : `answered ${reply.responseCode}`)
}

const byCode: Record<number, string> = {
  400: 'It took the request for wrong; a receiver that checks signatures says so when it has another secret.',
  401: 'It asks for a login. A webhook has none: let the receiver check the signature instead.',
  403: 'It lets nobody in. Perhaps a firewall, or a check of the signature with another secret.',
  404: 'There is nothing at this address.',
  405: 'It takes no POST at this address.',
  410: 'What was at this address is gone for good.',
  413: 'The event is larger than it takes.',
  429: 'It has more requests than it takes now.',
}

/** How reasons begin, and what they mean for whoever runs the receiver. */
const byReason: [start: RegExp, words: string][] = [
  [/^answered 4/, 'It refused the request.'],
  [/^answered 5/, 'Something is broken at the receiver, or in front of it.'],
  [/^redirect/, 'Redirects are not followed: add a webhook for the address that it leads to.'],
  [/^no answer within/, 'It took the request and said nothing in time. Answer first, and work afterwards.'],
  [/^answer not complete/, 'Its answer began and did not end in time. Answer first, and work afterwards.'],
  [/^(no connection|TLS handshake not complete) within/, 'It could not be reached in time: perhaps it is down, or a firewall drops us.'],
  [/^connection refused/, 'Nobody listens there: the receiver is down, or the port is another one.'],
  [/^connection (reset|closed)/, 'It hung up before it answered.'],
  [/^TLS certificate/, 'Its certificate is not one that we can trust, so nothing was sent.'],
  [/^no TLS/, 'It speaks plain HTTP where the address says https.'],
  [/^name /, 'The name in the address could not be looked up.'],
  [/^address is/, 'Its address leads where webhooks may not go.'],
  [/^answer (is not HTTP|headers)/, 'What answered is no web server, or one with far too many headers.'],
  [/^cut short/, 'Our process ended in the middle of it. It is repeated, and costs no retry.'],
  [/^the subscription was deleted/, 'The webhook was deleted while this was still open.'],
]

/** What a receiver said, for a person: one sentence of what happened, one of what it means. */
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
