/** A page of a list with keyset pagination, so that entries added meanwhile do not shift it. */
export type ListWindow = {
  /** Keys of the entries just outside the page, in list order. */
  after?: string | undefined
  before?: string | undefined
  limit: number
  /** True: take the last entries of the list, the last one first. */
  fromTheEnd: boolean
}
