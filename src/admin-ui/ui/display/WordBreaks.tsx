import { Fragment } from 'react'

/** Text that may have an address: it can wrap after each slash and dot of the address. */
export function WordBreaks({ text }: { text: string }) {
  return text.split(/(?<=[^/:]\/|\w\.)(?=\w)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
