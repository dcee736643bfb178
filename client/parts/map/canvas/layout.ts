import type { MapNode } from '#client/parts/map/mapTree.ts'
import { arcAt, type Arc, discOf } from './layoutSunburst.ts'
import { rectangleAt, type Box, type Rectangle } from './layoutTreemap.ts'

/** Positions of all nodes: rectangles in pixels, arcs in radians. */
export type Layout =
  | { shape: 'treemap'; root: MapNode; width: number; height: number; rectangles: Rectangle[] }
  | { shape: 'sunburst'; root: MapNode; width: number; height: number; arcs: Arc[] }

/**
 * Result of a hit test. `opens` is true if a single click opens the folder: on its title, or on any folder of a
 * sunburst.
 */
type Hit = { node: MapNode | undefined; opens: boolean; isMiddle: boolean }

export function hitTest(layout: Layout, point: { x: number; y: number }): Hit | undefined {
  if (layout.shape === 'treemap') {
    const found = rectangleAt(layout.rectangles, point.x, point.y)
    return found && { node: found.node, opens: found.title, isMiddle: false }
  }
  const { x, y, radius } = discOf(layout)
  const arc = arcAt(layout.arcs, (point.x - x) / radius, (point.y - y) / radius)
  if (arc === 'middle') return { node: undefined, opens: true, isMiddle: true }
  return arc && { node: arc.node, opens: arc.node.kind === 'folder', isMiddle: false }
}

/** Node in the direction of an arrow key. */
export function neighbourOf(layout: Layout, from: MapNode, direction: Direction): MapNode | undefined {
  const isIt = ({ node }: { node: MapNode }) => node.key === from.key
  if (layout.shape === 'treemap') {
    const box = layout.rectangles.find(isIt)
    return box && nextRectangle(layout.rectangles, box, direction)?.node
  }
  const arc = layout.arcs.find(isIt)
  return arc && nextArc(layout.arcs, arc, direction)?.node
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/** Nearest rectangle in a direction at the same level, otherwise at a higher one. */
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

/** Distance to a box in a direction, with sideways offset weighted higher; undefined if it is not in that direction. */
function distanceTo(from: Box, to: Box, direction: Direction): number | undefined {
  const [a, b] = direction === 'left' || direction === 'right' ? [transposed(from), transposed(to)] : [from, to]
  const ahead = direction === 'down' || direction === 'right' ? b.y - (a.y + a.height) : a.y - (b.y + b.height)
  // Tolerance for rounding, since neighbors touch.
  if (ahead < -1) return undefined
  const aside = Math.max(0, b.x - (a.x + a.width), a.x - (b.x + b.width))
  const middles = Math.abs(a.x + a.width / 2 - (b.x + b.width / 2))
  return Math.max(0, ahead) + 4 * aside + middles / 1_000 + (isBeside(a, b) ? 0 : 1_000_000)
}

const transposed = ({ x, y, width, height }: Box): Box => ({ x: y, y: x, width: height, height: width })
const isBeside = (a: Box, b: Box) => b.x < a.x + a.width - 0.5 && a.x < b.x + b.width - 0.5

/** Left and right move around the ring, up moves outward, down inward. */
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
