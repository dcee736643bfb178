import { graphemes } from '#client/ui/text/graphemes.ts'
import { type Role, roles } from '#client/ui/theme/roles.ts'
import type { MapNode } from '#client/parts/map/mapTree.ts'

/** Colors and texts for painting a map. */
export type Paint = {
  palette: Record<Role, string>
  /** Color of a node; nodes without one are hatched. */
  roleOf: (node: MapNode) => Role | undefined
  /** Colors of a node with several, with their shares. */
  bandsOf: (node: MapNode) => { role: Role; share: number }[] | undefined
  /** True for nodes that the legend filters out. */
  isDimmed: (node: MapNode) => boolean
  nameOf: (node: MapNode) => string
  sizeOf: (node: MapNode) => string
  /** Keys of the node with keyboard focus, and of the node selected elsewhere. */
  focused: string | undefined
  selected: string | undefined
}

export const font = "'Inter Variable', system-ui, sans-serif"

/** Diagonal lines for nodes without a single color. */
export function hatchPattern(context: CanvasRenderingContext2D, { palette }: Paint): CanvasPattern | string {
  const tile = document.createElement('canvas')
  const size = 8 * devicePixelRatio
  tile.width = tile.height = size
  const lines = tile.getContext('2d')
  if (!lines) return palette.raised
  lines.fillStyle = palette.raised
  lines.fillRect(0, 0, size, size)
  lines.strokeStyle = palette['control-border']
  lines.lineWidth = devicePixelRatio
  lines.beginPath()
  for (const from of [-size, 0, size]) {
    lines.moveTo(from, size)
    lines.lineTo(from + size, 0)
  }
  lines.stroke()
  const pattern = context.createPattern(tile, 'repeat')
  pattern?.setTransform(new DOMMatrix().scale(1 / devicePixelRatio))
  return pattern ?? palette.raised
}

/** Truncates a text with an ellipsis to fit a width; empty if hardly a word would fit. */
export function fitText(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  const characters = graphemes(text)
  const start = (count: number) => characters.slice(0, count).join('')
  let [short, long] = [0, characters.length]
  while (short < long) {
    const middle = Math.ceil((short + long) / 2)
    if (context.measureText(`${start(middle)}…`).width <= width) short = middle
    else long = middle - 1
  }
  return short < 4 ? '' : `${start(short).trimEnd()}…`
}

/** Relative luminance of a color such as `#1d5fd6`, 0 to 1, as defined by WCAG. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrast(a: string, b: string): number {
  const [dark = 0, bright = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other)
  return (bright + 0.05) / (dark + 0.05)
}

/** Possible text colors for names. */
export const nameColours = [roles.dark['on-bright'], roles.dark['on-fill']] as const

/** The most readable color on a background. */
export const readableOn = (ground: string, colours: readonly string[]): string =>
  colours.reduce((best, colour) => (contrast(colour, ground) > contrast(best, ground) ? colour : best))
