import { type MouseEvent, type PointerEvent, useRef, useState } from 'react'
import type { MapNode } from './mapTree.ts'
import { pointedAt } from './pointedAt.ts'
import type { Layout } from './view.ts'

/** What lies under the pointer, and whether one click there goes deeper. */
export type Hovered = { node: MapNode; x: number; y: number; opens: boolean }

type Deeds = { moveTo: (node: MapNode) => void; deeper: (node: MapNode) => void; up: () => void }

/** One click selects; one on the name of a folder, or two anywhere in it, go deeper. */
export function usePointer(layout: Layout, { moveTo, deeper, up }: Deeds) {
  const [hovered, setHovered] = useState<Hovered & { root: MapNode }>()
  const clicked = useRef<string>(undefined)
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const found = event.pointerType === 'mouse' ? pointedAt(layout, pointOf(event)) : undefined
    setHovered(found?.node && { node: found.node, opens: found.opens, root: layout.root, ...pointOf(event) })
  }
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const found = pointedAt(layout, pointOf(event))
    clicked.current = found?.opens ? undefined : found?.node?.key
    if (found?.isMiddle) return up()
    if (!found?.node) return undefined
    moveTo(found.node)
    return found.opens ? deeper(found.node) : undefined
  }
  const onDoubleClick = (event: MouseEvent<HTMLElement>) => {
    const found = pointedAt(layout, pointOf(event))
    // Where one click opened, the second one is not meant for what came under the pointer.
    if (found?.node && found.node.key === clicked.current) deeper(found.node)
  }
  const onPointerLeave = () => setHovered(undefined)
  // What lay under the pointer before a zoom is not there any more.
  const isHere = hovered?.root === layout.root
  return { hovered: isHere ? hovered : undefined, pointer: { onPointerMove, onPointerLeave, onClick, onDoubleClick } }
}

function pointOf({ clientX, clientY, currentTarget }: MouseEvent<HTMLElement>): { x: number; y: number } {
  const { left, top } = currentTarget.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}
