import { roles } from '../../app/theme/roles.ts'

/** How bright a colour such as `#1d5fd6` is, from 0 to 1, as WCAG counts it. */
function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrast(a: string, b: string): number {
  const [dark = 0, bright = 0] = [brightness(a), brightness(b)].sort((one, other) => one - other)
  return (bright + 0.05) / (dark + 0.05)
}

/** What names are written in, on whatever colour. */
export const words = [roles.dark['on-bright'], roles.dark['on-fill']] as const

/** Which of some colours reads best on another. */
export const readableOn = (ground: string, words: readonly string[]): string =>
  words.reduce((best, word) => (contrast(word, ground) > contrast(best, ground) ? word : best))
