import { proxy } from 'valtio'
import { type ColourBy, colourings } from './colouring.ts'

export const shapes = ['treemap', 'sunburst'] as const
export type Shape = (typeof shapes)[number]

const keys = { shape: 'mapShape', colour: 'mapColour' } as const
const kept = (key: keyof typeof keys) => (typeof localStorage === 'undefined' ? null : localStorage.getItem(keys[key]))
const keep = (key: keyof typeof keys, value: string) => localStorage.setItem(keys[key], value)

/** How whoever uses this browser wants maps: their shape, what colours mean, and whether they are drawn or written. */
export const mapSettings = proxy<{ shape: Shape; colour: ColourBy; asTable: boolean }>({
  shape: shapes.find((shape) => shape === kept('shape')) ?? 'treemap',
  colour: colourings.find((colour) => colour === kept('colour')) ?? 'age',
  asTable: false,
})

export function chooseShape(shape: Shape): void {
  mapSettings.shape = shape
  keep('shape', shape)
}

export function chooseColour(colour: ColourBy): void {
  mapSettings.colour = colour
  keep('colour', colour)
}

export function showAsTable(asTable: boolean): void {
  mapSettings.asTable = asTable
}
