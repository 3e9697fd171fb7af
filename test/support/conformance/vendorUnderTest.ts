import type { Json } from '../../../src/contract/json.ts'
import type { OutputType } from '../../../src/contract/shapes/outputTypes.ts'
import type { Vendor } from '../../../src/providers/connector/vendor.ts'

/** The behaviour of a fake from the next submit on. */
export type Behaviour =
  /** Real bytes of the requested medium. */
  | { kind: 'well' }
  /**
   * Queued, with a position if the vendor reports one; then running, with progress if reported; then well. The work is done at the
   * poll after `looks`. A synchronous vendor answers late.
   */
  | { kind: 'slow'; looks: number }
  /** Fails in the vendor's format and at its usual moment; must become this `class/reason`. */
  | { kind: 'fails'; failure: string }
  /** Never answers the submit. `before`: it has not accepted it; `after`: it has accepted and bills the work. */
  | { kind: 'hangs'; when: 'before' | 'after' }
  /** Closes the connection instead of answering the submit. */
  | { kind: 'drops'; when: 'before' | 'after' }
  /** Accepts and bills the work; a proxy answers the submit instead. */
  | { kind: 'proxied'; status: 502 | 503 }
  /** Is at capacity the given number of times, then succeeds. */
  | { kind: 'busy'; status: 429 | 503; times: number; retryAfterSeconds?: number }
  /** An unknown state for the given number of polls; then well. */
  | { kind: 'unknown_state'; looks: number }
  /** The output has another medium. */
  | { kind: 'wrong_media' }
  /** The output has more than 150 MB, generated while it is sent. */
  | { kind: 'huge' }
  /** The output no longer exists when it is fetched. */
  | { kind: 'expired' }
  /** The URL of the output. */
  | { kind: 'hostile_address'; url: string }
  /** An output of another medium first, then two that fit. */
  | { kind: 'several' }

/** An accepted billable request: its parsed body, and its idempotency key if the vendor has one. */
export type Accepted = { id: string; body: unknown; idempotencyKey?: string }

/** A server on 127.0.0.1 with the vendor's API, compatible with the vendor's own client. */
export type FakeVendor = {
  /** The value of the vendor's address variable. */
  url: string
  behave(behaviour: Behaviour): void
  /** Open requests, neither answered nor aborted. */
  open(): number
  /** In order of arrival. A repeat that the vendor recognises by its key is not listed again. */
  accepted: Accepted[]
  /** The ids of work with a cancel. */
  cancelled: string[]
  /** Every uploaded input. The suite finds inline inputs and URLs in `accepted`. */
  uploaded?: Uint8Array[]
  close(): Promise<void>
}

/** A request of the suite. `inputs`: one file of each of these media, in this order. */
export type VendorRequestSample = {
  familyId: string
  modelId?: string
  prompt?: string
  parameters?: Record<string, Json>
  inputs?: readonly OutputType[]
}

export type VendorUnderTest = {
  vendor: Vendor
  /** The fake's valid key; it answers any other key like the vendor. */
  key: string
  startFake(): Promise<FakeVendor>
  /** The failures (`class/reason`) that it can report. */
  failures: readonly string[]
  /** Behaviours without a meaning for this vendor, such as `hostile_address` when the answer contains the bytes. */
  without?: readonly Behaviour['kind'][]
  /** One per output medium, for a family of our catalog. */
  requests: Partial<Record<OutputType, VendorRequestSample>>
  /** The folder of its families; default `catalog/<id>`. */
  catalogFolder?: string
  /** A medium that is inside the answer to the submit, if any: a cancel then closes the connection. */
  answersWithResult?: OutputType
  /** True if the vendor's answer contains the cost of the work. */
  reportsCost?: boolean
}
