const wholeKey = /^\s*(atl_[0-9A-Za-z]{8})[0-9A-Za-z]+\s*$/

/** Cuts a whole key, pasted to find whose it is, to the part that everybody may see: what is searched stands in the address. */
export function visiblePart(text: string): string {
  return wholeKey.exec(text)?.[1] ?? text
}
