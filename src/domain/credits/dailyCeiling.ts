import { nothing } from '../../contract/hundredths.ts'
import type { ApiKey } from '../../entities/ApiKey.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import { utcDay } from '../utcDay.ts'

/** What a key was charged in the day of `now`: its counter belongs to the last day on which it was charged. Spec: Authentication, rule 6. */
export function spentToday(key: Pick<ApiKey, 'chargedDay' | 'chargedOnDay'>, now: Date): Hundredths {
  return key.chargedDay === utcDay(now) ? key.chargedOnDay : nothing
}
