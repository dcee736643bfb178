import { counted } from '#events/contract/counted.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import { type Phrases, percentText, type Watch } from './reportObjects.ts'

/** Growth that is reported: in percent, or in bytes. */
export type GrowthLimit = { threshold: number; growthDays: number; growthBytes?: number | undefined }

/** A size in bytes on a day; null if unknown. */
type Size = { bytes: number | null; day: string | null }

export const withinText = (days: number): string => counted(days, 'day')

/** Percent at which growth is reported. Growth in bytes is measured in percent of its limit. */
export const growthThreshold = ({ threshold, growthBytes }: GrowthLimit): number =>
  growthBytes === undefined ? threshold : 100

/** Growth of an object between two sizes. Growth from zero exceeds any percentage. */
export function growthOf(
  name: string,
  now: Size,
  before: Size,
  { growthBytes, growthDays }: GrowthLimit,
): Pick<Watch, 'percent' | 'line' | 'text'> {
  const sizes = [before, now].map(({ bytes, day }) => `${sizeText(bytes ?? 0)} on ${day}`).join(', ')
  const watch = (percent: number | undefined, grew: string) => {
    const text = `${name} ${grew} within ${withinText(growthDays)}`
    return { percent, text, line: percent === undefined ? sizes : `${grew}: ${sizes}` }
  }
  if (now.bytes === null || before.bytes === null) return watch(undefined, 'grew')
  const grown = now.bytes - before.bytes
  const percent = grown === 0 ? 0 : (grown / before.bytes) * 100
  if (growthBytes === undefined)
    return watch(percent, `grew ${percent === Infinity ? '' : 'by '}${percentText(percent)}`)
  return watch((grown / growthBytes) * 100, `grew by ${sizeText(Math.max(0, grown))}`)
}

export function growthPhrases({ threshold, growthDays, growthBytes }: GrowthLimit): Pick<Phrases, 'has' | 'more'> {
  const grown = `by ${growthBytes === undefined ? `${threshold} %` : sizeText(growthBytes)} within ${withinText(growthDays)}`
  return { has: `grown ${grown}`, more: '' }
}
