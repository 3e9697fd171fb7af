import type { Json } from '../../../src/contract/json.ts'
import type { OutputType } from '../../../src/contract/shapes/outputTypes.ts'
import type { Vendor } from '../../../src/providers/connector/vendor.ts'

/** How a fake treats what it is asked for, from the next submit on. */
export type Behaviour =
  /** Real bytes of the medium that was asked for. */
  | { kind: 'well' }
  /**
   * Queued, with a position where the vendor tells one; then running, with progress where it tells that; then well. The work is done at the
   * look after `looks`. A vendor that makes things while one waits answers well, only later.
   */
  | { kind: 'slow'; looks: number }
  /** Says no in the vendor's own words, at whichever moment the vendor would; it must become this `class/reason`. */
  | { kind: 'fails'; failure: string }
  /** Never answers the submit. `before`: it has taken nothing; `after`: it has taken the work, and bills it. */
  | { kind: 'hangs'; when: 'before' | 'after' }
  /** Cuts the connection instead of answering the submit. */
  | { kind: 'drops'; when: 'before' | 'after' }
  /** It takes the work, and bills it; a proxy on the way answers the submit in its place. */
  | { kind: 'proxied'; status: 502 | 503 }
  /** Takes nothing so many times, then goes well. */
  | { kind: 'busy'; status: 429 | 503; times: number; retryAfterSeconds?: number }
  /** A state that nobody has heard of, for so many looks; then well. */
  | { kind: 'unknown_state'; looks: number }
  /** The output: other bytes than asked for. */
  | { kind: 'wrong_media' }
  /** The output: above 150 MB, written as it goes and never held. */
  | { kind: 'huge' }
  /** The output: gone when it is fetched. */
  | { kind: 'expired' }
  /** Where the vendor says that the output lies. */
  | { kind: 'hostile_address'; url: string }
  /** An output of another medium first, then two that fit. */
  | { kind: 'several' }

/** A billable request that was taken in: what it asked for, parsed, and its idempotency key where the vendor knows one. */
export type Accepted = { id: string; body: unknown; idempotencyKey?: string }

/** A server on 127.0.0.1 that speaks as the vendor does, well enough for the vendor's own client. */
export type FakeVendor = {
  /** What goes into the vendor's address variable. */
  url: string
  behave(behaviour: Behaviour): void
  /** Requests that it has neither answered nor seen given up. */
  open(): number
  /** In the order of arrival. A repeat that the vendor knows by its key is not taken in again. */
  accepted: Accepted[]
  /** The ids of the work that it was told to stop. */
  cancelled: string[]
  /** Every input that reached it by an upload. What is inline in `accepted`, or an address there, the suite finds by itself. */
  uploaded?: Uint8Array[]
  close(): Promise<void>
}

/** What the suite asks for. `inputs`: one file of each of these media, in this order. */
export type VendorRequestSample = {
  familyId: string
  modelId?: string
  prompt?: string
  parameters?: Record<string, Json>
  inputs?: readonly OutputType[]
}

export type VendorUnderTest = {
  vendor: Vendor
  /** The only key that the fake takes; any other is answered as the vendor does. */
  key: string
  startFake(): Promise<FakeVendor>
  /** The `class/reason` names that it can tell us. */
  failures: readonly string[]
  /** Behaviours that mean nothing for this vendor, such as `hostile_address` where the bytes come with the answer. */
  without?: readonly Behaviour['kind'][]
  /** One for each medium that it makes, to a family of our catalog. */
  requests: Partial<Record<OutputType, VendorRequestSample>>
  /** Where its families are; `catalog/<id>` unless told otherwise. */
  catalogFolder?: string
  /** A medium that comes with the answer to its submit, where there is one: a cancel then closes the connection. */
  answersWithResult?: OutputType
  /** The vendor says what work has cost, or counts it, in its answer. */
  reportsCost?: boolean
}
