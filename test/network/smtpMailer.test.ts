import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { smtpMailer } from '../../src/network/smtpMailer.ts'

/** A mail server that records the commands, and answers RCPT with `recipient`. */
async function aMailServer({ recipient = '250 ok' } = {}): Promise<{ url: string; lines: string[] }> {
  const lines: string[] = []
  const talk = (socket: Socket) => {
    let inData = false
    let rest = ''
    socket.write('220 mail.test ESMTP\r\n')
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      const read = (rest + String(bytes)).split('\r\n')
      rest = read.pop() ?? ''
      for (const line of read) {
        lines.push(line)
        if (inData && line !== '.') continue
        inData = line === 'DATA'
        socket.write(inData ? '354 go on\r\n' : `${line.startsWith('RCPT') ? recipient : '250 ok'}\r\n`)
      }
    })
  }
  const server = createServer(talk).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, lines }
}

const mail = { to: 'ada@example.test', subject: 'Invitation to Ümlaut', text: 'https://atelier.test/integrations/invitation#ati_x\n' }

test('a mail reaches the server with one recipient', async () => {
  const { url, lines } = await aMailServer()
  await smtpMailer({ url, from: 'atelier@example.test' }).send(mail)
  expect(lines).toContain('MAIL FROM:<atelier@example.test>')
  expect(lines.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<ada@example.test>'])
  expect(lines.join('\n')).toContain('https://atelier.test/integrations/invitation#ati_x')
})

test('an address with commas and a subject with lines add neither recipients nor headers', async () => {
  const { url, lines } = await aMailServer()
  const hostile = { ...mail, to: 'a,b@example.test', subject: 'x\r\nBcc: eve@example.test' }
  await smtpMailer({ url, from: 'atelier@example.test' }).send(hostile)
  expect(lines.filter((line) => line.startsWith('RCPT'))).toHaveLength(1)
  expect(lines.filter((line) => /^bcc:/i.test(line))).toEqual([])
})

test('a refused recipient rejects', async () => {
  const { url } = await aMailServer({ recipient: '550 no such user' })
  await expect(smtpMailer({ url, from: 'atelier@example.test' }).send(mail)).rejects.toThrow('550')
})
