import type { Role } from '#client/ui/theme/roles.ts'
import { readableOn, nameColours, fitText, font, hatchPattern, type Paint } from './paint.ts'
import type { MapNode } from '#client/parts/map/mapTree.ts'
import { type Box, type Rectangle, titleHeight } from './layoutTreemap.ts'
import type { Layout } from './layout.ts'
import type { View } from './zoom.ts'

type Treemap = Extract<Layout, { shape: 'treemap' }>
type Context = CanvasRenderingContext2D

/** Smaller rectangles are skipped. */
const minSide = 0.4
const inset = 6

/** Paints the rectangles in a view: folders as frames with a title, leaves in their color. */
export function paintTreemap(context: Context, { rectangles, width, height }: Treemap, view: View, paint: Paint): void {
  context.fillStyle = paint.palette.canvas
  context.fillRect(0, 0, width, height)
  const hatch = hatchPattern(context, paint)
  const seen = (box: Box): Box => ({
    x: view.x * width + box.x * view.width,
    y: view.y * height + box.y * view.height,
    width: box.width * view.width,
    height: box.height * view.height,
  })
  context.textBaseline = 'middle'
  const marked: [Box, 'focused' | 'selected'][] = []
  for (const rectangle of rectangles) {
    const box = seen(rectangle)
    if (box.width < minSide || box.height < minSide) continue
    if (rectangle.node.children.length > 0) paintFolder(context, rectangle, box, paint)
    else paintLeaf(context, rectangle, box, { ...paint, hatch })
    const { key } = rectangle.node
    if (key === paint.selected) marked.push([box, 'selected'])
    if (key === paint.focused) marked.push([box, 'focused'])
  }
  for (const [box, how] of marked) mark(context, box, how, paint)
}

function paintFolder(context: Context, { node, title }: Rectangle, box: Box, paint: Paint): void {
  const { palette } = paint
  fill(context, box, palette['control-border'])
  fill(context, { x: box.x + 1, y: box.y + 1, width: box.width - 2, height: box.height - 2 }, palette.surface)
  if (!title) return
  const [room, middle] = [box.width - 2 * inset, box.y + titleHeight / 2 + 0.5]
  context.font = `500 12px ${font}`
  context.fillStyle = palette.text
  const name = fitText(context, paint.nameOf(node), room)
  context.fillText(name, box.x + inset, middle)
  const left = room - context.measureText(name).width - 8
  context.font = `12px ${font}`
  const size = paint.sizeOf(node)
  if (context.measureText(size).width > left) return
  context.fillStyle = palette['text-2']
  context.textAlign = 'right'
  context.fillText(size, box.x + box.width - inset, middle)
  context.textAlign = 'left'
}

type PaintWithHatch = Paint & { hatch: CanvasPattern | string }

function paintLeaf(context: Context, { node }: Rectangle, box: Box, paint: PaintWithHatch): void {
  const { palette } = paint
  const ground = paintGround(context, node, box, paint)
  if (box.width < 40 || box.height < 18) return
  context.font = `12px ${font}`
  const room = box.width - 2 * inset
  const name = fitText(context, paint.nameOf(node), room)
  // Numbers are never truncated, since they would read as other numbers.
  const size = box.height >= 38 && context.measureText(paint.sizeOf(node)).width <= room ? paint.sizeOf(node) : ''
  const top = box.y + (box.height < 24 ? box.height / 2 : 13)
  if (ground === 'many' && name) {
    // Text needs a solid background on hatching or several colors.
    const wide = Math.max(context.measureText(name).width, context.measureText(size).width)
    fill(context, { x: box.x + 3, y: top - 9, width: wide + 6, height: size ? 34 : 18 }, palette.raised)
  }
  context.fillStyle =
    ground === 'many' || ground === 'hover' ? palette['text-2'] : readableOn(palette[ground], nameColours)
  context.fillText(name, box.x + inset, top)
  context.fillText(size, box.x + inset, top + 16)
}

/** Fills a leaf and returns the background of its name. */
function paintGround(context: Context, node: MapNode, box: Box, paint: PaintWithHatch): Role | 'many' {
  const { palette, hatch } = paint
  // Gap between neighbors, if they are large enough.
  const gap = Math.min(box.width, box.height) > 3 ? 0.5 : 0
  const inner = { x: box.x + gap, y: box.y + gap, width: box.width - 2 * gap, height: box.height - 2 * gap }
  const bands = paint.bandsOf(node) ?? []
  if (bands.length > 1) {
    fillBands(context, inner, bands, palette)
    return 'many'
  }
  const role = paint.roleOf(node)
  const ground = role && paint.isDimmed(node) ? 'hover' : role
  fill(context, inner, ground ? palette[ground] : hatch)
  return ground ?? 'many'
}

/** Bands side by side along the longer side, proportional to their shares. */
function fillBands(
  context: Context,
  box: Box,
  bands: { role: Role; share: number }[],
  palette: Paint['palette'],
): void {
  let begin = 0
  for (const { role, share } of bands) {
    const along =
      box.width >= box.height
        ? { x: box.x + begin * box.width, width: share * box.width }
        : { y: box.y + begin * box.height, height: share * box.height }
    fill(context, { ...box, ...along }, palette[role])
    begin += share
  }
}

function fill(context: Context, { x, y, width, height }: Box, style: CanvasPattern | string): void {
  context.fillStyle = style
  context.fillRect(x, y, Math.max(0, width), Math.max(0, height))
}

/** Ring inside the box, so that it is visible at the edge of the map and on any color. */
function mark(context: Context, box: Box, how: 'focused' | 'selected', { palette }: Paint): void {
  const frame = (inset: number, colour: string) => {
    context.strokeStyle = colour
    context.lineWidth = 2
    const both = 2 * inset
    context.strokeRect(box.x + inset, box.y + inset, Math.max(1, box.width - both), Math.max(1, box.height - both))
  }
  frame(1, how === 'focused' ? palette.accent : palette.text)
  frame(3, palette.surface)
}
