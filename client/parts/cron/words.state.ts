import { proxy, ref } from 'valtio'

/** Puts cron expressions into words; it is loaded when the first one is shown. */
type Reader = { read: (cron: string) => string }
export const cronWords = proxy<{ reader: Reader | undefined }>({ reader: undefined })

let loading: Promise<void> | undefined
export const loadCronWords = (): Promise<void> => (loading ??= load())

async function load(): Promise<void> {
  const { default: describer } = await import('cronstrue')
  // Days of the week count from Sunday as 1.
  const options = { use24HourTimeFormat: true, dayOfWeekStartIndexZero: false }
  cronWords.reader = ref({ read: (cron: string) => describer.toString(cron, options) })
}
