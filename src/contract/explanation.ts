/** What a code says, in a sentence or two, and what to do about it: Markdown without links, for the page of errors and for docs/api.md. */
export type Explanation = { meaning: string; remedy: string }
