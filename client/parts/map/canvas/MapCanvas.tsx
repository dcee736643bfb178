import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useMemo, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { roles } from '#client/ui/theme/roles.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { sizeWords } from '#client/ui/text/size.ts'
import { mapSettings, type Shape } from '#client/parts/map/mapSettings.state.ts'
import type { MapNode } from '#client/parts/map/mapTree.ts'
import { nameOf, spokenText, summary } from '#client/parts/map/mapWords.ts'
import { HoverCard } from './HoverCard.tsx'
import { layoutSunburst } from './layoutSunburst.ts'
import { layoutTreemap } from './layoutTreemap.ts'
import { type MapCanvasProps, useMapInteraction } from './useMapInteraction.ts'
import type { Paint } from './paint.ts'
import { useCanvasPainting } from './useCanvasPainting.ts'
import type { Layout } from './layout.ts'
import classes from '#client/parts/map/Map.module.css'

const keys = 'Arrow keys move, Enter opens the folder, Backspace opens the parent folder.'

/** Canvas of the map. A single tab stop that announces the focused node. */
export function MapCanvas(props: MapCanvasProps) {
  const { root, colouring, dominants, picked, selected } = props
  const { base } = useSnapshot(sizeSetting)
  const { shape } = useSnapshot(mapSettings)
  const scheme = useComputedColorScheme('light')
  const { ref: stage, width, height } = useElementSize()
  const canvas = useRef<HTMLCanvasElement>(null)
  const layout = useMemo(() => layoutOf(shape, root, width, height), [shape, root, width, height])
  const { node, hovered, hasFocus, handlers } = useMapInteraction(layout, { ...props, canvas })
  const paint = useMemo((): Paint => {
    const isLeftOut = (key: string | undefined) => picked.length > 0 && !picked.includes(key ?? '')
    const isDimmed = (node: MapNode) =>
      colouring.bandsOf(node)?.every(({ key }) => isLeftOut(key)) ?? isLeftOut(colouring.categoryOf(node))
    const bandsOf = (node: MapNode) =>
      colouring
        .bandsOf(node)
        ?.map(({ key, role, share }) => ({ role: isLeftOut(key) ? 'hover' : role, share }) as const)
    const sizeOf = ({ size }: MapNode) => sizeWords(size, base)
    const focused = hasFocus ? node?.key : undefined
    return { palette: roles[scheme], roleOf: colouring.roleOf, bandsOf, isDimmed, nameOf, sizeOf, focused, selected }
  }, [colouring, picked, base, scheme, hasFocus, node, selected])
  useCanvasPainting(canvas, layout, paint)
  return (
    <div
      ref={stage}
      className={classes.stage}
      aria-roledescription="map"
      aria-label={`${summary(root, base)}. ${keys}`}
      data-opens={hovered?.opens}
      {...handlers}
    >
      <canvas ref={canvas} className={classes.canvas} />
      <output className="unseen">{hasFocus && node ? spokenText(node, root, dominants, base) : ''}</output>
      {hovered && <HoverCard {...hovered} root={root} dominants={dominants} room={{ width, height }} />}
    </div>
  )
}

function layoutOf(shape: Shape, root: MapNode, width: number, height: number): Layout {
  if (shape === 'sunburst') return { shape, root, width, height, arcs: layoutSunburst(root) }
  return { shape, root, width, height, rectangles: layoutTreemap(root, width, height) }
}
