import type { Arc } from './laySunburst.ts'
import type { Box, Rectangle } from './layTreemap.ts'

export type Direction = 'left' | 'right' | 'up' | 'down'

/** The rectangle that lies next in a direction, of the same level, or of a higher one where nothing is below it. */
export function nextRectangle(all: readonly Rectangle[], from: Rectangle, direction: Direction): Rectangle | undefined {
  const { depth } = from.node
  const isLevel = ({ node }: Rectangle) => node.depth === depth || (node.depth < depth && node.children.length === 0)
  let best: { box: Rectangle; distance: number } | undefined
  for (const box of all) {
    if (box === from || !isLevel(box)) continue
    const distance = distanceTo(from, box, direction)
    if (distance !== undefined && (best === undefined || distance < best.distance)) best = { box, distance }
  }
  return best?.box
}

/** How far a box lies in a direction, one aside counting more; nothing when it does not lie there. */
function distanceTo(from: Box, to: Box, direction: Direction): number | undefined {
  const [a, b] = direction === 'left' || direction === 'right' ? [turned(from), turned(to)] : [from, to]
  const ahead = direction === 'down' || direction === 'right' ? b.y - (a.y + a.height) : a.y - (b.y + b.height)
  // Neighbours touch, give or take what computing with fractions leaves.
  if (ahead < -1) return undefined
  const aside = Math.max(0, b.x - (a.x + a.width), a.x - (b.x + b.width))
  const middles = Math.abs(a.x + a.width / 2 - (b.x + b.width / 2))
  return Math.max(0, ahead) + 4 * aside + middles / 1_000 + (isBeside(a, b) ? 0 : 1_000_000)
}

const turned = ({ x, y, width, height }: Box): Box => ({ x: y, y: x, width: height, height: width })
const isBeside = (a: Box, b: Box) => b.x < a.x + a.width - 0.5 && a.x < b.x + b.width - 0.5

/** Right and left go around the ring, up goes outward, down inward. */
export function nextArc(arcs: readonly Arc[], from: Arc, direction: Direction): Arc | undefined {
  if (direction === 'up' || direction === 'down') {
    const ring = from.ring + (direction === 'up' ? 1 : -1)
    const middle = (from.start + from.end) / 2
    if (direction === 'up') return arcs.find((arc) => arc.ring === ring && arc.node.folder === from.node)
    return arcs.find((arc) => arc.ring === ring && arc.start <= middle && middle < arc.end)
  }
  const ring = arcs.filter((arc) => arc.ring === from.ring).sort((a, b) => a.start - b.start)
  const place = ring.indexOf(from) + (direction === 'right' ? 1 : -1)
  return ring.at(place % ring.length)
}
