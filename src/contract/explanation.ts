/** The meaning of a code and its remedy, in one or two sentences each: Markdown without links, for the page of errors and docs/api.md. */
export type Explanation = { meaning: string; remedy: string }
