import { type HierarchyRectangularNode, hierarchy, treemap, treemapSquarify } from 'd3-hierarchy'
import type { MapNode } from '#client/parts/map/mapTree.ts'

/** A position in pixels, or as shares of the map. */
export type Box = { x: number; y: number; width: number; height: number }
export type Rectangle = Box & { node: MapNode; title: boolean }

export const titleHeight = 18
const frame = 2

/** Folders of this size have a title above their contents. */
const hasTitle = ({ x0, x1, y0, y1, children, depth }: HierarchyRectangularNode<MapNode>) =>
  children !== undefined && depth > 0 && x1 - x0 >= 44 && y1 - y0 >= 44
const frameOf = (node: HierarchyRectangularNode<MapNode>) => (hasTitle(node) ? frame : 0)

/** Rectangles proportional to size, parents before children. */
export function layoutTreemap(root: MapNode, width: number, height: number): Rectangle[] {
  const tree = hierarchy(root, ({ children }) => (children.length > 0 ? children : undefined))
  const layout = treemap<MapNode>()
    .tile(treemapSquarify.ratio(1.2))
    .size([Math.max(0, width), Math.max(0, height)])
    .paddingTop((node) => (hasTitle(node) ? titleHeight : 0))
    .paddingRight(frameOf)
    .paddingBottom(frameOf)
    .paddingLeft(frameOf)(tree.sum(({ children, size }) => (children.length > 0 ? 0 : size)))
  return layout.descendants().flatMap((node) => {
    const { data, x0, x1, y0, y1, depth } = node
    const box = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 }
    return depth > 0 ? [{ node: data, ...box, title: hasTitle(node) }] : []
  })
}

/** Innermost rectangle at a point. */
export const rectangleAt = (rectangles: readonly Rectangle[], x: number, y: number): Rectangle | undefined =>
  rectangles.findLast((box) => x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height)
