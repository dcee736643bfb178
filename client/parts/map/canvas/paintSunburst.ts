import type { Role } from '#client/ui/theme/roles.ts'
import { readableOn, nameColours, fitText, font, hatchPattern, type Paint } from './paint.ts'
import { type Arc, discOf, radiiOf, ringsOf, whole } from './layoutSunburst.ts'
import type { Layout } from './layout.ts'
import type { View } from './zoom.ts'

type Sunburst = Extract<Layout, { shape: 'sunburst' }>
type Context = CanvasRenderingContext2D

type DrawnArc = { arc: Arc; start: number; end: number; inner: number; outer: number }

/** Paints the arcs in a view, with the mapped folder in the middle. */
export function paintSunburst(context: Context, layout: Sunburst, view: View, paint: Paint): void {
  const { palette } = paint
  context.fillStyle = palette.surface
  context.fillRect(0, 0, layout.width, layout.height)
  const { x, y, radius } = discOf(layout)
  const rings = ringsOf(layout.arcs)
  const angle = (at: number) => Math.min(whole, Math.max(0, (view.x + (at / whole) * view.width) * whole))
  const drawn = layout.arcs.flatMap((arc): DrawnArc[] => {
    const { inner, outer } = radiiOf(arc.ring, rings)
    const [start, end] = [angle(arc.start), angle(arc.end)]
    return end - start < 0.001 ? [] : [{ arc, start, end, inner: inner * radius, outer: outer * radius }]
  })
  const hatch = hatchPattern(context, paint)
  context.save()
  context.translate(x, y)
  for (const each of drawn) paintArc(context, each, { ...paint, hatch })
  for (const each of drawn) if (each.arc.node.key === paint.selected) mark(context, each, palette.text, palette.surface)
  for (const each of drawn)
    if (each.arc.node.key === paint.focused) mark(context, each, palette.accent, palette.surface)
  paintMiddle(context, layout, radiiOf(0, rings).inner * radius, paint)
  context.restore()
}

function trace(context: Context, { start, end, inner, outer }: DrawnArc): void {
  const transposed = -Math.PI / 2
  context.beginPath()
  context.arc(0, 0, outer, start + transposed, end + transposed)
  context.arc(0, 0, inner, end + transposed, start + transposed, true)
  context.closePath()
}

function paintArc(context: Context, drawn: DrawnArc, paint: Paint & { hatch: CanvasPattern | string }): void {
  const { palette } = paint
  const { node } = drawn.arc
  const role = paint.roleOf(node)
  const isDimmed = paint.isDimmed(node)
  const bands = paint.bandsOf(node) ?? []
  if (bands.length > 1) fillBands(context, drawn, bands, palette)
  else {
    trace(context, drawn)
    context.fillStyle = role ? (isDimmed ? palette.hover : palette[role]) : paint.hatch
    context.fill()
  }
  trace(context, drawn)
  context.strokeStyle = palette.surface
  context.lineWidth = 1
  context.stroke()
  if (!role || bands.length > 1) paintName(context, drawn, paint, palette['text-2'], palette.surface)
  else paintName(context, drawn, paint, isDimmed ? palette['text-2'] : readableOn(palette[role], nameColours))
}

/** Bands one after another along the arc, proportional to their shares. */
function fillBands(
  context: Context,
  drawn: DrawnArc,
  bands: { role: Role; share: number }[],
  palette: Paint['palette'],
): void {
  let start = drawn.start
  for (const { role, share } of bands) {
    const end = start + share * (drawn.end - drawn.start)
    trace(context, { ...drawn, start, end })
    context.fillStyle = palette[role]
    context.fill()
    start = end
  }
}

/**
 * Name along the radius, readable from the left, if the arc is wide enough for a line. With a solid background on
 * hatched arcs.
 */
function paintName(context: Context, drawn: DrawnArc, paint: Paint, colour: string, ground?: string): void {
  const { arc, start, end, inner, outer } = drawn
  const middle = (start + end) / 2
  const radius = (inner + outer) / 2
  if ((end - start) * radius < 16) return
  context.font = `12px ${font}`
  const name = fitText(context, paint.nameOf(arc.node), outer - inner - 10)
  context.save()
  context.rotate(middle - Math.PI / 2)
  context.translate(radius, 0)
  if (middle > Math.PI) context.rotate(Math.PI)
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  if (ground !== undefined) {
    const width = context.measureText(name).width + 8
    context.fillStyle = ground
    context.fillRect(-width / 2, -9, width, 18)
  }
  context.fillStyle = colour
  context.fillText(name, 0, 0)
  context.restore()
}

function paintMiddle(context: Context, { root }: Sunburst, radius: number, paint: Paint): void {
  const { palette } = paint
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.font = `600 14px ${font}`
  context.fillStyle = palette.text
  context.fillText(fitText(context, paint.nameOf(root), radius * 1.7), 0, -10)
  context.font = `12px ${font}`
  context.fillStyle = palette['text-2']
  context.fillText(paint.sizeOf(root), 0, 10)
}

function mark(context: Context, drawn: DrawnArc, outside: string, inside: string): void {
  trace(context, drawn)
  context.save()
  context.clip()
  context.strokeStyle = inside
  context.lineWidth = 8
  context.stroke()
  context.strokeStyle = outside
  context.lineWidth = 5
  context.stroke()
  context.restore()
}
