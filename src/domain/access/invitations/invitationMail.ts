import { limits } from '../../../contract/limits.ts'

/** The subject and text of the mail. A name of a team cannot add lines to it. */
export function invitationMail({ teamName, url }: { teamName: string; url: string }): { subject: string; text: string } {
  const name = teamName.replaceAll(/\p{C}|\p{Zl}|\p{Zp}/gu, ' ')
  const text = [
    `You are invited to the team "${name}" in Atelier.`,
    '',
    `Open this link within ${limits.invitationDays} days to accept. It works once:`,
    url,
    '',
    'If you do not expect this invitation, ignore this mail.',
    '',
  ].join('\n')
  return { subject: `Invitation to ${name}`, text }
}
