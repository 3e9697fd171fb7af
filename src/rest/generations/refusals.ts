import { refusalsOf } from '../../contract/orderOfChecks.ts'
import type { RefusalCode } from '../../contract/refusals.ts'

/** What a request for work may be refused with, before any money is looked at. */
export const planRefusals: readonly RefusalCode[] = [...refusalsOf('content type and size'), ...refusalsOf('family', 'price')]
