import { type MapNode, smallerOf } from '#client/parts/map/mapTree.ts'

/** Segment of a ring, in radians clockwise from the top. Ring 0 is the innermost. */
export type Arc = { node: MapNode; start: number; end: number; ring: number }

const maxRings = 5
export const whole = 2 * Math.PI
/** Thinner arcs are merged. */
export const minAngle = whole / 360
/** Radius of the middle as a share of the whole. */
const middle = 0.24

/** Arcs proportional to size, parents before children. */
export function layoutSunburst(root: MapNode): Arc[] {
  const arcs: Arc[] = []
  const layoutFolder = (folder: MapNode, start: number, end: number, ring: number): void => {
    if (ring >= maxRings || folder.size <= 0) return
    const angle = (size: number) => ((end - start) * size) / folder.size
    let at = start
    for (const node of mergeThin(folder, (size) => angle(size) < minAngle)) {
      const arc = { node, start: at, end: at + angle(node.size), ring }
      arcs.push(arc)
      layoutFolder(node, arc.start, arc.end, ring + 1)
      at = arc.end
    }
  }
  layoutFolder(root, 0, whole, 0)
  return arcs
}

/** Children of a folder, with thin ones merged into the last. */
function mergeThin(folder: MapNode, isThin: (size: number) => boolean): MapNode[] {
  const isApart = ({ kind, size }: MapNode) => kind !== 'smaller' && !isThin(size)
  const thin = folder.children.filter((child) => !isApart(child))
  if (thin.length === 0) return folder.children
  const [count, size] = thin.reduce(([count, size], child) => [count + child.count, size + child.size], [0, 0])
  return [...folder.children.filter(isApart), smallerOf(folder, count ?? 0, size ?? 0)]
}

/** Inner and outer radius of a ring as shares of the whole. The rings share the space outside the middle. */
export function radiiOf(ring: number, rings: number): { inner: number; outer: number } {
  const depth = (1 - middle) / Math.max(1, rings)
  return { inner: middle + ring * depth, outer: middle + (ring + 1) * depth }
}

export const ringsOf = (arcs: readonly Arc[]): number => arcs.reduce((max, { ring }) => Math.max(max, ring + 1), 0)

/** Arc at a point, or 'middle'. Coordinates are relative to the center, as shares of the radius. */
export function arcAt(arcs: readonly Arc[], x: number, y: number): Arc | 'middle' | undefined {
  const radius = Math.hypot(x, y)
  if (radius < middle) return 'middle'
  const rings = ringsOf(arcs)
  const angle = (Math.atan2(x, -y) + whole) % whole
  return arcs.find(({ start, end, ring }) => {
    const { inner, outer } = radiiOf(ring, rings)
    return radius >= inner && radius < outer && angle >= start && angle < end
  })
}

/** Center and radius of a sunburst in its available space, in pixels. */
export const discOf = ({ width, height }: { width: number; height: number }) => ({
  x: width / 2,
  y: height / 2,
  radius: Math.max(0, Math.min(width, height) / 2 - 8),
})
