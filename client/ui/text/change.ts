import { percentText } from './count.ts'
import { type SizeBase, sizeWords } from './size.ts'

type Direction = 'grown' | 'shrunk' | 'same'

export const directionOf = (change: number): Direction => (change > 0 ? 'grown' : change < 0 ? 'shrunk' : 'same')

const signs = { grown: '+', shrunk: '−', same: '' } satisfies Record<Direction, string>
/** Sign before the amount of a change. */
export const signOf = (change: number): string => signs[directionOf(change)]

/** Change of a size: `+1.20 GiB`, `−340 MiB`, `0 B`. */
export const changeWords = (change: number, base: SizeBase): string =>
  signOf(change) + sizeWords(Math.abs(change), base)

/** Change relative to the size before: `+1.2 %`, `−0.4 %`, `< 0.1 %`. */
export function changePercent(share: number): string {
  const text = percentText(Math.abs(share))
  return text.startsWith('<') ? text : signOf(share) + text
}
