import { type RefObject, useEffect, useRef } from 'react'
import type { MapNode } from '#client/parts/map/mapTree.ts'
import type { Layout } from './layout.ts'
import { recentZoom, zoomOrigin, interpolate, fullView, type View } from './zoom.ts'
import type { Paint } from './paint.ts'
import { paintSunburst } from './paintSunburst.ts'
import { paintTreemap } from './paintTreemap.ts'

/** Duration of a zoom, in milliseconds. */
const zoomMs = 260

/** Paints a map at device resolution. Animates the zoom when another folder is opened. */
export function useCanvasPainting(canvas: RefObject<HTMLCanvasElement | null>, layout: Layout, paint: Paint): void {
  const painted = useRef<MapNode>(undefined)
  const zoom = useRef<ZoomAnimation>(undefined)
  useEffect(() => {
    if (!canvas.current || layout.width === 0 || layout.height === 0) return undefined
    if (painted.current !== layout.root) zoom.current = zoomTo(layout)
    painted.current = layout.root
    return animate(canvas.current, { layout, paint }, zoom.current)
  }, [canvas, layout, paint])
}

type Painting = { layout: Layout; paint: Paint }
type ZoomAnimation = { from: View; start: number }

function zoomTo(layout: Layout): ZoomAnimation | undefined {
  const before = recentZoom(layout.root.path)?.from
  const isStill = !before || matchMedia('(prefers-reduced-motion: reduce)').matches
  const from = isStill ? undefined : zoomOrigin(before, layout)
  return from && { from, start: performance.now() }
}

/** Paints until the animation ends. Returns a function that stops it. */
function animate(canvas: HTMLCanvasElement, painted: Painting, zoom: ZoomAnimation | undefined): () => void {
  let frame = 0
  const step = () => {
    const share = zoom ? Math.min(1, (performance.now() - zoom.start) / zoomMs) : 1
    paintFrame(canvas, painted, zoom && share < 1 ? interpolate(zoom.from, share) : fullView)
    if (share < 1) frame = requestAnimationFrame(step)
  }
  step()
  return () => cancelAnimationFrame(frame)
}

function paintFrame(canvas: HTMLCanvasElement, { layout, paint }: Painting, view: View): void {
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
