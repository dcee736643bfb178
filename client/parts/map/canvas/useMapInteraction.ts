import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useState,
  type MouseEvent,
  type PointerEvent,
  useRef,
} from 'react'
import {
  folderAbove,
  folderOf,
  keyOf,
  type MapNode,
  placeOf,
  placeOfNode,
  type MapPlace,
} from '#client/parts/map/mapTree.ts'
import type { Colouring } from '#client/parts/map/colouring.ts'
import type { DominantValues } from '#client/parts/map/mapWords.ts'
import { type Layout, type Direction, neighbourOf, hitTest } from './layout.ts'
import { recentZoom, startZoom } from './zoom.ts'

export type MapCanvasProps = {
  root: MapNode
  colouring: Colouring
  /** Largest categories of folders, if the colors need them. */
  dominants: DominantValues | undefined
  picked: readonly string[]
  selected: string | undefined
  onSelect: (place: MapPlace) => void
  onOpen: (place: MapPlace) => void
}

const directions: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

type InteractionOptions = Pick<MapCanvasProps, 'root' | 'selected' | 'onSelect' | 'onOpen'> & {
  canvas: RefObject<HTMLElement | null>
}

/** Keyboard and pointer handlers of a map, with the focused and the hovered node. */
export function useMapInteraction(layout: Layout, { root, selected, onSelect, onOpen, canvas }: InteractionOptions) {
  const [focusedKey, setFocusedKey] = useState(() => recentZoom(root.path)?.focusedKey)
  const [hasFocus, setFocus] = useState(false)
  useEffect(() => {
    if (recentZoom(root.path)?.takesFocus) canvas.current?.parentElement?.focus({ preventScroll: true })
  }, [root.path, canvas])
  const nodes = layout.shape === 'treemap' ? layout.rectangles : layout.arcs
  const nodeOfKey = (key: string | undefined) => nodes.find(({ node }) => node.key === key)?.node
  const node = nodeOfKey(focusedKey) ?? nodeOfKey(selected) ?? root.children[0]
  const zoom = (path: string, focusedKey?: string) => {
    startZoom({ path, focusedKey, from: layout, takesFocus: document.activeElement === canvas.current?.parentElement })
    setFocusedKey(focusedKey)
    onOpen(placeOf(path))
  }
  const moveTo = (node: MapNode) => {
    setFocusedKey(node.key)
    const place = placeOfNode(node)
    if (place) onSelect(place)
  }
  const zoomIn = (node: MapNode) => {
    const folder = folderOf(node)
    const place = placeOfNode(node)
    if (folder && folder !== root) zoom(folder.path)
    else if (place && !place.isDirectory) onOpen(place)
  }
  const zoomOut = () => {
    const above = folderAbove(root.path)
    if (above === undefined) return
    onSelect(placeOf(root.path))
    zoom(above, keyOf(root.path, 'folder'))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const direction = directions[event.key]
    const next = direction && node && neighbourOf(layout, node, direction)
    if (event.key === 'Enter' && node) zoomIn(node)
    else if (event.key === 'Backspace') zoomOut()
    else if (next) moveTo(next)
    else if (!direction) return
    event.preventDefault()
  }
  const { hovered, pointer } = usePointerHandlers(layout, { moveTo, zoomIn, zoomOut })
  const focus = { onFocus: () => setFocus(true), onBlur: () => setFocus(false) }
  const handlers = { role: 'application', tabIndex: 0, onKeyDown, ...focus, ...pointer } as const
  return { node, hovered, hasFocus, handlers }
}

/** Hovered node. `opens` is true if a single click opens it. */
export type HoveredNode = { node: MapNode; x: number; y: number; opens: boolean }

type NodeActions = { moveTo: (node: MapNode) => void; zoomIn: (node: MapNode) => void; zoomOut: () => void }

/** One click selects. A click on a folder's title, or a double-click anywhere in it, opens it. */
function usePointerHandlers(layout: Layout, { moveTo, zoomIn, zoomOut }: NodeActions) {
  const [hovered, setHovered] = useState<HoveredNode & { root: MapNode }>()
  const clicked = useRef<string>(undefined)
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const found = event.pointerType === 'mouse' ? hitTest(layout, pointOf(event)) : undefined
    setHovered(found?.node && { node: found.node, opens: found.opens, root: layout.root, ...pointOf(event) })
  }
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const found = hitTest(layout, pointOf(event))
    clicked.current = found?.opens ? undefined : found?.node?.key
    if (found?.isMiddle) return zoomOut()
    if (!found?.node) return undefined
    moveTo(found.node)
    return found.opens ? zoomIn(found.node) : undefined
  }
  const onDoubleClick = (event: MouseEvent<HTMLElement>) => {
    const found = hitTest(layout, pointOf(event))
    // After a click that zoomed in, the second click of a double-click would hit another node.
    if (found?.node && found.node.key === clicked.current) zoomIn(found.node)
  }
  const onPointerLeave = () => setHovered(undefined)
  // Nodes hovered before a zoom no longer exist.
  const isHere = hovered?.root === layout.root
  return { hovered: isHere ? hovered : undefined, pointer: { onPointerMove, onPointerLeave, onClick, onDoubleClick } }
}

function pointOf({ clientX, clientY, currentTarget }: MouseEvent<HTMLElement>): { x: number; y: number } {
  const { left, top } = currentTarget.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}
