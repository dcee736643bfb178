import { proxy, ref } from 'valtio'

/** Describes cron expressions. The library is loaded on first use. */
type Reader = { read: (cron: string) => string }
export const cronWords = proxy<{ reader: Reader | undefined }>({ reader: undefined })

export async function loadCronWords(): Promise<void> {
  if (cronWords.reader) return
  const { default: describer } = await import('cronstrue')
  // Sunday is day 1.
  const options = { use24HourTimeFormat: true, dayOfWeekStartIndexZero: false }
  cronWords.reader = ref({ read: (cron: string) => dayFirst(describer.toString(cron, options)) })
}

/** `At 02:00` as `Every day at 02:00`, and `At 05:00, only on Sunday` as `Every Sunday at 05:00`. Other descriptions are unchanged. */
function dayFirst(words: string): string {
  const [, time, day] = /^At (\d\d:\d\d)(?:, only on (\w+))?$/.exec(words) ?? []
  return time === undefined ? words : `Every ${day ?? 'day'} at ${time}`
}
