import { graphql } from './graphql.ts'

/** The fields of a day in charts of usage. */
export const usageDayFields = graphql(`
  fragment UsageDayFields on Usage {
    day
    generations
    ready
    failed
    cancelled
    creditsCharged
  }
`)
