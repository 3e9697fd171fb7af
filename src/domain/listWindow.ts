/** A stretch of a list that is ordered by a key, between two of its entries; keyed, so that what is added meanwhile shifts nothing. */
export type ListWindow = {
  /** Keys of the entries just outside, in the order of the list. */
  after?: string | undefined
  before?: string | undefined
  limit: number
  /** Take the entries nearest to the far end, last one first. */
  fromTheEnd: boolean
}
