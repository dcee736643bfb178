import { type MapNode, smallerOf } from '#client/parts/map/mapTree.ts'

/** A piece of a ring, in radians clockwise from the top; ring 0 is the one around the middle. */
export type Arc = { node: MapNode; start: number; end: number; ring: number }

const maxRings = 5
export const whole = 2 * Math.PI
/** Thinner arcs are drawn as one. */
export const minAngle = whole / 360
/** How much of the radius the middle takes. */
const middle = 0.24

/** Arcs as wide as their share of the folder, folders before what is in them. */
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

/** What lies in a folder, the thin ones as one, last. */
function mergeThin(folder: MapNode, isThin: (size: number) => boolean): MapNode[] {
  const isApart = ({ kind, size }: MapNode) => kind !== 'smaller' && !isThin(size)
  const thin = folder.children.filter((child) => !isApart(child))
  if (thin.length === 0) return folder.children
  const [count, size] = thin.reduce(([count, size], child) => [count + child.count, size + child.size], [0, 0])
  return [...folder.children.filter(isApart), smallerOf(folder, count ?? 0, size ?? 0)]
}

/** The inner and the outer radius of a ring, in parts of the whole; so many rings as there are share what the middle leaves. */
export function radiiOf(ring: number, rings: number): { inner: number; outer: number } {
  const depth = (1 - middle) / Math.max(1, rings)
  return { inner: middle + ring * depth, outer: middle + (ring + 1) * depth }
}

export const ringsOf = (arcs: readonly Arc[]): number => arcs.reduce((most, { ring }) => Math.max(most, ring + 1), 0)

/** The arc at a point, 'middle' inside all rings; from the centre, in parts of the radius. */
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

/** The room that a sunburst takes: its centre and radius, in pixels. */
export const discOf = ({ width, height }: { width: number; height: number }) => ({
  x: width / 2,
  y: height / 2,
  radius: Math.max(0, Math.min(width, height) / 2 - 8),
})
