import { Font as registry } from '@react-pdf/renderer'
import decompress from 'brotli/decompress.js'
import * as harfBuzz from 'harfbuzzjs'
import { createContext } from 'react'
import type { SubsetRanges } from '#events/pdf-fonts/fontFiles.ts'
import { openFonts } from '#events/pdf-fonts/openFonts.ts'

/** Addresses of the font files. The build adds the files to the client; each is read when a document needs it. */
const addresses = import.meta.glob<string>(
  [
    '../../../../node_modules/@fontsource-variable/inter/files/*-wght-normal.woff2',
    '../../../../node_modules/@fontsource-variable/noto-sans-{jp,kr,sc}/files/*-wght-normal.woff2',
    '../../../../node_modules/@fontsource-variable/noto-sans-*/files/*-{arabic,armenian,devanagari,georgian,hebrew,thai}-wght-normal.woff2',
  ],
  { query: '?url', import: 'default', eager: true },
)
const addressOf = new Map(
  Object.entries(addresses).map(([path, address]) => [path.slice(path.lastIndexOf('/') + 1), address]),
)

const ranges = import.meta.glob<SubsetRanges['inter']>(
  '../../../../node_modules/@fontsource-variable/{inter,noto-sans-*}/unicode.json',
  { import: 'default', eager: true },
)

async function readFont({ name }: { name: string }): Promise<Uint8Array> {
  const response = await fetch(addressOf.get(name) ?? name)
  if (!response.ok) throw new Error(`The font ${name} could not be loaded: the server answered ${response.status}.`)
  return new Uint8Array(await response.arrayBuffer())
}

/** Fonts of documents, shared by all documents of a page. */
export const paperFonts = openFonts({
  registry,
  ranges: Object.fromEntries(
    Object.entries(ranges).map(([path, ofPackage]) => [path.split('/').at(-2), ofPackage]),
  ) as SubsetRanges,
  read: readFont,
  brotli: (bytes) => decompress(bytes as Buffer),
  harfBuzz,
})

/** Font family of the current document. */
export const FontFamily = createContext('')
