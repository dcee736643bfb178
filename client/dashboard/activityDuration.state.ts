import { proxy } from 'valtio'
import { activityDurations } from '#events/storages.ts'

const key = 'volumeVariationDuration'
const kept = Number(localStorage.getItem(key))

/** Over how many days this browser compares the sizes of storages. */
export const activity = proxy<{ days: number }>({ days: activityDurations.find((days) => days === kept) ?? 30 })

export function compareOver(days: number): void {
  activity.days = days
  localStorage.setItem(key, String(days))
}
