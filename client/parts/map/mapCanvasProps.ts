import type { Colouring } from './colouring.ts'
import type { MapNode, MapPlace } from './mapTree.ts'
import type { Mostly } from './mostly.ts'

/** What a map is drawn of, and who hears what is chosen in it. */
export type MapCanvasProps = {
  root: MapNode
  colouring: Colouring
  /** What folders consist of, where colours tell that. */
  mostly: Mostly | undefined
  picked: readonly string[]
  selected: string | undefined
  onSelect: (place: MapPlace) => void
  onOpen: (place: MapPlace) => void
}
