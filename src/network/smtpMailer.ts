/** Sends one mail. Rejects when the mail server does not accept it. */
export type Mailer = { send(mail: { to: string; subject: string; text: string }): Promise<void> }

const secondsMax = 10

/**
 * Sends mail through an SMTP server. `url`: `smtp://` or `smtps://`, with user and password if the server needs them. Loads the library at
 * the first mail.
 */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const times = { connectionTimeout: secondsMax * 1000, greetingTimeout: secondsMax * 1000, socketTimeout: secondsMax * 1000 }
  return {
    async send({ to, subject, text }) {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ url, ...times, disableFileAccess: true, disableUrlAccess: true })
      try {
        // An object is never read as a list of addresses.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
      } finally {
        transport.close()
      }
    },
  }
}
