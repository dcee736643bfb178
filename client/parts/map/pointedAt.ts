import { arcAt } from './laySunburst.ts'
import { rectangleAt } from './layTreemap.ts'
import type { MapNode } from './mapTree.ts'
import { type Direction, nextArc, nextRectangle } from './moves.ts'
import { discOf } from './paintSunburst.ts'
import type { Layout } from './view.ts'

/** What is at a point: one click opens the name of a folder, and any folder of a sunburst. */
type Pointed = { node: MapNode | undefined; opens: boolean; isMiddle: boolean }

export function pointedAt(layout: Layout, point: { x: number; y: number }): Pointed | undefined {
  if (layout.shape === 'treemap') {
    const found = rectangleAt(layout.rectangles, point.x, point.y)
    return found && { node: found.node, opens: found.title, isMiddle: false }
  }
  const { x, y, radius } = discOf(layout)
  const arc = arcAt(layout.arcs, (point.x - x) / radius, (point.y - y) / radius)
  if (arc === 'middle') return { node: undefined, opens: true, isMiddle: true }
  return arc && { node: arc.node, opens: arc.node.kind === 'folder', isMiddle: false }
}

/** What the arrows lead to. */
export function nodeNext(layout: Layout, from: MapNode, direction: Direction): MapNode | undefined {
  const isIt = ({ node }: { node: MapNode }) => node.key === from.key
  if (layout.shape === 'treemap') {
    const box = layout.rectangles.find(isIt)
    return box && nextRectangle(layout.rectangles, box, direction)?.node
  }
  const arc = layout.arcs.find(isIt)
  return arc && nextArc(layout.arcs, arc, direction)?.node
}
