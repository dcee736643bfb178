import type { Role } from '../../app/theme/roles.ts'
import type { MapNode } from './mapTree.ts'

/** With what a map is painted. */
export type Paint = {
  palette: Record<Role, string>
  /** The role of a part's colour; what has none is hatched. */
  roleOf: (node: MapNode) => Role | undefined
  /** What the legend filters out. */
  isDimmed: (node: MapNode) => boolean
  nameOf: (node: MapNode) => string
  sizeOf: (node: MapNode) => string
  /** Keys of what the keyboard is at, and of what is selected beside the map. */
  focused: string | undefined
  selected: string | undefined
}

export const font = "'Inter Variable', system-ui, sans-serif"

/** Diagonal hairlines: what stands for many. */
export function hatching(context: CanvasRenderingContext2D, { palette }: Paint): CanvasPattern | string {
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

/** A text that is cut with an ellipsis where it does not fit; nothing where hardly a word would. */
export function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  let [short, long] = [0, text.length]
  while (short < long) {
    const middle = Math.ceil((short + long) / 2)
    if (context.measureText(`${text.slice(0, middle)}…`).width <= width) short = middle
    else long = middle - 1
  }
  return short < 4 ? '' : `${text.slice(0, short).trimEnd()}…`
}
