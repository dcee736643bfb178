import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { arrivalAt, depart } from './arrival.ts'
import type { MapCanvasProps } from './mapCanvasProps.ts'
import { folderAbove, folderOf, keyOf, type MapNode, placeOf, placeOfNode } from './mapTree.ts'
import type { Direction } from './moves.ts'
import { nodeNext } from './pointedAt.ts'
import { usePointer } from './usePointer.ts'
import type { Layout } from './view.ts'

const directions: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

type Hands = Pick<MapCanvasProps, 'root' | 'selected' | 'onSelect' | 'onOpen'> & {
  canvas: RefObject<HTMLElement | null>
}

/** What the keyboard and the pointer do on a map, and which part of it each is at. */
export function useMapHands(layout: Layout, { root, selected, onSelect, onOpen, canvas }: Hands) {
  const [at, setAt] = useState(() => arrivalAt(root.path)?.at)
  const [hasFocus, setFocus] = useState(false)
  useEffect(() => {
    if (arrivalAt(root.path)?.takesFocus) canvas.current?.parentElement?.focus({ preventScroll: true })
  }, [root.path, canvas])
  const nodes = layout.shape === 'treemap' ? layout.rectangles : layout.arcs
  const named = (key: string | undefined) => nodes.find(({ node }) => node.key === key)?.node
  const node = named(at) ?? named(selected) ?? root.children[0]
  const zoom = (path: string, at?: string) => {
    depart({ path, at, from: layout, takesFocus: document.activeElement === canvas.current?.parentElement })
    setAt(at)
    onOpen(placeOf(path))
  }
  const moveTo = (node: MapNode) => {
    setAt(node.key)
    const place = placeOfNode(node)
    if (place) onSelect(place)
  }
  const deeper = (node: MapNode) => {
    const folder = folderOf(node)
    const place = placeOfNode(node)
    if (folder && folder !== root) zoom(folder.path)
    else if (place && !place.isDirectory) onOpen(place)
  }
  const up = () => {
    const above = folderAbove(root.path)
    if (above === undefined) return
    onSelect(placeOf(root.path))
    zoom(above, keyOf(root.path, 'folder'))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const direction = directions[event.key]
    const next = direction && node && nodeNext(layout, node, direction)
    if (event.key === 'Enter' && node) deeper(node)
    else if (event.key === 'Backspace') up()
    else if (next) moveTo(next)
    else if (!direction) return
    event.preventDefault()
  }
  const { hovered, pointer } = usePointer(layout, { moveTo, deeper, up })
  const focus = { onFocus: () => setFocus(true), onBlur: () => setFocus(false) }
  const hands = { role: 'application', tabIndex: 0, onKeyDown, ...focus, ...pointer } as const
  return { node, hovered, hasFocus, hands }
}
