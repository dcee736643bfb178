import { proxy } from 'valtio'
import { oneOf, remembered } from '#client/ui/remembered.ts'
import { type ColourBy, colourings } from './colouring.ts'

export const shapes = ['treemap', 'sunburst'] as const
export type Shape = (typeof shapes)[number]

const stored = {
  shape: remembered<Shape>('mapShape', oneOf(shapes), 'treemap'),
  colour: remembered<ColourBy>('mapColour', oneOf(colourings), 'age'),
}

/** Display options of maps, kept in this browser. */
export const mapSettings = proxy<{ shape: Shape; colour: ColourBy; asTable: boolean }>({
  shape: stored.shape.read(),
  colour: stored.colour.read(),
  asTable: false,
})

export function chooseShape(shape: Shape): void {
  mapSettings.shape = shape
  stored.shape.write(shape)
}

export function chooseColour(colour: ColourBy): void {
  mapSettings.colour = colour
  stored.colour.write(colour)
}

export function showAsTable(asTable: boolean): void {
  mapSettings.asTable = asTable
}
