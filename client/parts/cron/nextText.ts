import { dayText, momentText, timeText } from '../../ui/text/moment.ts'

/** Times in their order, each with its day where that is another than the one before, and with seconds where any has them. */
export function nextTexts(times: readonly string[]): string[] {
  const hasSeconds = times.some((at) => new Date(at).getSeconds() !== 0)
  return times.map((at, index) => {
    const before = times[index - 1]
    const isSameDay = before !== undefined && dayText(before) === dayText(at)
    const time = hasSeconds ? timeText(at) : momentText(at).slice(11)
    return isSameDay ? time : `${dayText(at)} ${time}`
  })
}
