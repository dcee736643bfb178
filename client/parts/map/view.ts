import type { Arc } from './laySunburst.ts'
import { whole } from './laySunburst.ts'
import type { Box, Rectangle } from './layTreemap.ts'
import type { MapNode } from './mapTree.ts'

/** What is drawn: where everything lies, in pixels for rectangles and in radians for arcs. */
export type Layout =
  | { shape: 'treemap'; root: MapNode; width: number; height: number; rectangles: Rectangle[] }
  | { shape: 'sunburst'; root: MapNode; width: number; height: number; arcs: Arc[] }

/** Where the whole map is drawn, in parts of the room that it has; of a sunburst only the angles. */
export type View = Box
export const still: View = { x: 0, y: 0, width: 1, height: 1 }

/** Where a folder lies, in parts of the whole. */
function boxOf(layout: Layout, path: string): Box | undefined {
  const isIt = ({ node }: { node: MapNode }) => node.kind === 'folder' && node.path === path
  if (layout.shape === 'sunburst') {
    const arc = layout.arcs.find(isIt)
    return arc && { x: arc.start / whole, y: 0, width: (arc.end - arc.start) / whole, height: 1 }
  }
  const { width, height } = layout
  const box = layout.rectangles.find(isIt)
  return box && { x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height }
}

/** Where the map begins when another folder was zoomed to: where that lay, or so that what was shown is still the whole. */
export function beginning(before: Layout, after: Layout): View | undefined {
  if (before.shape !== after.shape || before.root.path === after.root.path) return undefined
  const inside = boxOf(before, after.root.path)
  if (inside) return inside
  const outside = boxOf(after, before.root.path)
  if (!outside || outside.width === 0 || outside.height === 0) return undefined
  const { x, y, width, height } = outside
  return { x: -x / width, y: -y / height, width: 1 / width, height: 1 / height }
}

/** A view on its way to the whole; `share` from 0 to 1 of the way. */
export function between(from: View, share: number): View {
  const eased = 1 - (1 - share) ** 3
  const part = (a: number, b: number) => a + (b - a) * eased
  return {
    x: part(from.x, 0),
    y: part(from.y, 0),
    width: part(from.width, 1),
    height: part(from.height, 1),
  }
}
