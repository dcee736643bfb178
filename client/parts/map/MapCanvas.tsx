import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useMemo, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { roles } from '../../app/theme/roles.ts'
import { sizeSetting } from '../../ui/sizeBase.state.ts'
import { sizeWords } from '../../ui/text/size.ts'
import { HoverCard } from './HoverCard.tsx'
import { laySunburst } from './laySunburst.ts'
import { layTreemap } from './layTreemap.ts'
import type { MapCanvasProps } from './mapCanvasProps.ts'
import { mapSettings, type Shape } from './mapSettings.state.ts'
import type { MapNode } from './mapTree.ts'
import { nameOf, spoken, summary } from './mapWords.ts'
import type { Paint } from './paint.ts'
import { useMapHands } from './useMapHands.ts'
import { usePainted } from './usePainted.ts'
import type { Layout } from './view.ts'
import classes from './Map.module.css'

const keys = 'Arrows move, Enter opens the folder, Backspace goes to the folder above.'

/** The map itself. One tab stop; what the keys are at is said. */
export function MapCanvas(props: MapCanvasProps) {
  const { root, colouring, mostly, picked, selected } = props
  const { base } = useSnapshot(sizeSetting)
  const { shape } = useSnapshot(mapSettings)
  const scheme = useComputedColorScheme('light')
  const { ref: stage, width, height } = useElementSize()
  const canvas = useRef<HTMLCanvasElement>(null)
  const layout = useMemo(() => layoutOf(shape, root, width, height), [shape, root, width, height])
  const { node, hovered, hasFocus, hands } = useMapHands(layout, { ...props, canvas })
  const paint = useMemo((): Paint => {
    const isDimmed = (node: MapNode) => picked.length > 0 && !picked.includes(colouring.categoryOf(node) ?? '')
    const sizeOf = ({ size }: MapNode) => sizeWords(size, base)
    const focused = hasFocus ? node?.key : undefined
    return { palette: roles[scheme], roleOf: colouring.roleOf, isDimmed, nameOf, sizeOf, focused, selected }
  }, [colouring, picked, base, scheme, hasFocus, node, selected])
  usePainted(canvas, layout, paint)
  return (
    <div
      ref={stage}
      className={classes.stage}
      aria-roledescription="map"
      aria-label={`${summary(root, base)}. ${keys}`}
      data-opens={hovered?.opens}
      {...hands}
    >
      <canvas ref={canvas} className={classes.canvas} />
      <output className={classes.said}>{hasFocus && node ? spoken(node, root, mostly, base) : ''}</output>
      {hovered && <HoverCard {...hovered} root={root} mostly={mostly} room={{ width, height }} />}
    </div>
  )
}

function layoutOf(shape: Shape, root: MapNode, width: number, height: number): Layout {
  if (shape === 'sunburst') return { shape, root, width, height, arcs: laySunburst(root) }
  return { shape, root, width, height, rectangles: layTreemap(root, width, height) }
}
