import { proxy, ref } from 'valtio'

/** Describes cron expressions. The library is loaded on first use. */
type Reader = { read: (cron: string) => string }
export const cronWords = proxy<{ reader: Reader | undefined }>({ reader: undefined })

export async function loadCronWords(): Promise<void> {
  if (cronWords.reader) return
  const { default: describer } = await import('cronstrue')
  // Sunday is day 1.
  const options = { use24HourTimeFormat: true, dayOfWeekStartIndexZero: false }
  cronWords.reader = ref({ read: (cron: string) => describer.toString(cron, options) })
}
