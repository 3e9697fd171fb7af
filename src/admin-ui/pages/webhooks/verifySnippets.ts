/** Complete receivers that verify the signature, as short as possible. docs/webhooks.md has longer ones. */
export const verifySnippets = {
  'Node.js': `// receiver.mjs, run as: WEBHOOK_SECRET='whsec_…' node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

function isGenuine(header, body) {
  const parts = header.split(',').map((part) => part.split('='))
  const t = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!(Math.abs(Date.now() / 1000 - Number(t)) <= 300)) return false
  const expected = createHmac('sha256', process.env.WEBHOOK_SECRET)
    .update(t + '.').update(body).digest()
  return parts.some(([name, hex]) => {
    const given = Buffer.from(hex ?? '', 'hex')
    return name === 'v1' && given.length === 32 && timingSafeEqual(given, expected)
  })
}

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks) // the bytes as they came
  const genuine = isGenuine(request.headers['x-service-signature'] ?? '', body)
  response.writeHead(genuine ? 204 : 400).end()
  if (genuine) console.log(request.headers['webhook-id'], JSON.parse(body).event)
}).listen(process.env.PORT ?? 3000)
`,
  Python: `# receiver.py, run as: WEBHOOK_SECRET='whsec_…' python3 receiver.py
import hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

def is_genuine(header, body):
    parts = [part.partition("=")[::2] for part in header.split(",")]
    t = next((value for name, value in parts if name == "t"), "")
    if not t.isascii() or not t.isdigit() or abs(time.time() - int(t)) > 300:
        return False
    secret = os.environ["WEBHOOK_SECRET"].encode()
    expected = hmac.new(secret, t.encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(name == "v1" and hmac.compare_digest(value.encode(), expected.encode())
               for name, value in parts)

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))  # the bytes as they came
        genuine = is_genuine(self.headers.get("X-Service-Signature", ""), body)
        self.send_response(204 if genuine else 400)
        self.end_headers()
        if genuine:
            print(self.headers["webhook-id"], json.loads(body)["event"], flush=True)

ThreadingHTTPServer(("", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
`,
} as const

export type SnippetLanguage = keyof typeof verifySnippets
