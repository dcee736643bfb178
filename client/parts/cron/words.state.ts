import { proxy, ref } from 'valtio'

/** Puts cron expressions into words; it is loaded when the first one is shown. */
type Reader = { read: (cron: string) => string }
export const cronWords = proxy<{ reader: Reader | undefined }>({ reader: undefined })

export async function loadCronWords(): Promise<void> {
  if (cronWords.reader) return
  const { default: describer } = await import('cronstrue')
  // Days of the week count from Sunday as 1.
  const options = { use24HourTimeFormat: true, dayOfWeekStartIndexZero: false }
  cronWords.reader = ref({ read: (cron: string) => describer.toString(cron, options) })
}
