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
  now: Size,
  before: Size,
  { growthBytes }: GrowthLimit,
): Pick<Watch, 'percent' | 'line' | 'value'> {
  const sizes = [before, now].map(({ bytes, day }) => `${sizeText(bytes ?? 0)} on ${day}`).join(', ')
  if (now.bytes === null || before.bytes === null) return { percent: undefined, line: sizes }
  const grown = now.bytes - before.bytes
  const percent = grown === 0 ? 0 : (grown / before.bytes) * 100
  if (growthBytes === undefined)
    return { percent, line: `grew ${percent === Infinity ? '' : 'by '}${percentText(percent)}: ${sizes}` }
  const value = `+${sizeText(Math.max(0, grown))}`
  return { percent: (grown / growthBytes) * 100, value, line: `grew by ${value.slice(1)}: ${sizes}` }
}

export function growthPhrases({
  threshold,
  growthDays,
  growthBytes,
}: GrowthLimit): Pick<Phrases, 'did' | 'has' | 'more'> {
  const grown = `by ${growthBytes === undefined ? `${threshold} %` : sizeText(growthBytes)} within ${withinText(growthDays)}`
  return { did: `grew ${grown}`, has: `grown ${grown}`, more: '' }
}
