import { proxy } from 'valtio'
import { activityDurations } from '#events/storages.ts'
import { oneOf, type RememberedKey, remembered } from '#client/ui/remembered.ts'

/** Period of comparison in days, kept in this browser, and a function to set it. */
function comparedDays(key: RememberedKey) {
  const kept = remembered<number>(key, oneOf<number>(activityDurations), 30)
  const chosen = proxy({ days: kept.read() })
  const choose = (days: number): void => {
    chosen.days = days
    kept.write(days)
  }
  return { chosen, choose }
}
export type ComparedDays = ReturnType<typeof comparedDays>

export const storageActivity = comparedDays('volumeVariationDuration')
export const folderActivity = comparedDays('folderVariationDuration')
export const projectActivity = comparedDays('projectVariationDuration')
