import { ConfigError } from './configError.ts'
import type { VariableValues } from './variables.ts'

/** The mail server, and the sender; the default sender has the host of the public address. */
export type MailConfig = { readonly url: string; readonly from: string | undefined }

/** Reads the settings of mail. Throws {@link ConfigError} for a sender without a server. Contract: docs/contract.md#mail-variables. */
export function mailOf({ SMTP_URL: url, MAIL_FROM: from }: VariableValues): MailConfig | undefined {
  if (url === undefined && from !== undefined) throw new ConfigError('MAIL_FROM is set, but SMTP_URL is not')
  return url === undefined ? undefined : { url, from }
}
