const lengthMax = 500

/** What a vendor said, for the log of the operator: short, and without the prompt that it may repeat. */
export function vendorWords(words: string, { prompt }: { prompt: string | null }): string {
  const hidden = prompt === null || prompt.trim() === '' ? words : words.replaceAll(prompt, '[prompt]')
  return hidden.length > lengthMax ? `${hidden.slice(0, lengthMax)}…` : hidden
}
