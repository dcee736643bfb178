import type { MapNode } from '#client/parts/map/mapTree.ts'
import type { Layout } from './layout.ts'
import { whole } from './layoutSunburst.ts'
import type { Box } from './layoutTreemap.ts'

/** Position of the whole map as shares of its space; for a sunburst only the angles. */
export type View = Box
export const fullView: View = { x: 0, y: 0, width: 1, height: 1 }

/** Position of a folder as shares of the whole map. */
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

/** View in which a zoom starts: the new folder at its old position, or the old folder still filling the map. */
export function zoomOrigin(before: Layout, after: Layout): View | undefined {
  if (before.shape !== after.shape || before.root.path === after.root.path) return undefined
  const inside = boxOf(before, after.root.path)
  if (inside) return inside
  const outside = boxOf(after, before.root.path)
  if (!outside || outside.width === 0 || outside.height === 0) return undefined
  const { x, y, width, height } = outside
  return { x: -x / width, y: -y / height, width: 1 / width, height: 1 / height }
}

/** View at a `share` (0 to 1) of the animation, which ends at the whole map. */
export function interpolate(from: View, share: number): View {
  const eased = 1 - (1 - share) ** 3
  const part = (a: number, b: number) => a + (b - a) * eased
  return {
    x: part(from.x, 0),
    y: part(from.y, 0),
    width: part(from.width, 1),
    height: part(from.height, 1),
  }
}

/** A zoom: target, previous layout, and the node to focus afterwards. */
type ZoomStart = { path: string; from: Layout; focusedKey: string | undefined; takesFocus: boolean }

/** The last zoom. Stored outside of components, since a screen may remount for each folder. */
let last: (ZoomStart & { end: number }) | undefined
/** A folder shown later than this was not opened by the zoom. */
const recentMs = 10_000

export function startZoom(zoom: ZoomStart): void {
  last = { ...zoom, end: performance.now() + recentMs }
}

/** The zoom that opened a folder, if it is recent. */
export const recentZoom = (path: string): ZoomStart | undefined =>
  last?.path === path && performance.now() < last.end ? last : undefined
