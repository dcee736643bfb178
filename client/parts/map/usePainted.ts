import { type RefObject, useEffect, useRef } from 'react'
import { arrivalAt } from './arrival.ts'
import type { MapNode } from './mapTree.ts'
import type { Paint } from './paint.ts'
import { paintSunburst } from './paintSunburst.ts'
import { paintTreemap } from './paintTreemap.ts'
import { beginning, between, type Layout, still, type View } from './view.ts'

/** How long a zoom takes, in milliseconds. */
const zoomTime = 260

/** Paints a map, sharp on every screen; when another folder was zoomed to, on its way from where that lay. */
export function usePainted(canvas: RefObject<HTMLCanvasElement | null>, layout: Layout, paint: Paint): void {
  const painted = useRef<MapNode>(undefined)
  const zoom = useRef<Zoom>(undefined)
  useEffect(() => {
    if (!canvas.current || layout.width === 0 || layout.height === 0) return undefined
    if (painted.current !== layout.root) zoom.current = zoomTo(layout)
    painted.current = layout.root
    return play(canvas.current, { layout, paint }, zoom.current)
  }, [canvas, layout, paint])
}

type Painted = { layout: Layout; paint: Paint }
type Zoom = { from: View; start: number }

function zoomTo(layout: Layout): Zoom | undefined {
  const before = arrivalAt(layout.root.path)?.from
  const isStill = !before || matchMedia('(prefers-reduced-motion: reduce)').matches
  const from = isStill ? undefined : beginning(before, layout)
  return from && { from, start: performance.now() }
}

/** Paints until nothing moves any more. Gives back how to stop. */
function play(canvas: HTMLCanvasElement, painted: Painted, zoom: Zoom | undefined): () => void {
  let frame = 0
  const step = () => {
    const share = zoom ? Math.min(1, (performance.now() - zoom.start) / zoomTime) : 1
    paintOnce(canvas, painted, zoom && share < 1 ? between(zoom.from, share) : still)
    if (share < 1) frame = requestAnimationFrame(step)
  }
  step()
  return () => cancelAnimationFrame(frame)
}

function paintOnce(canvas: HTMLCanvasElement, { layout, paint }: Painted, view: View): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const [width, height] = [layout.width, layout.height].map((side) => Math.round(side * devicePixelRatio))
  if (canvas.width !== width) canvas.width = width ?? 0
  if (canvas.height !== height) canvas.height = height ?? 0
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
  context.textAlign = 'left'
  if (layout.shape === 'treemap') paintTreemap(context, layout, view, paint)
  else paintSunburst(context, layout, view, paint)
}
