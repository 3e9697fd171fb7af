import { Fragment } from 'react'

/** Text with an address, which wraps after a slash or dot rather than inside a word. */
export function SlashBreaks({ text }: { text: string }) {
  return text.split(/(?<=[^/:]\/|\w\.)(?=\w)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
