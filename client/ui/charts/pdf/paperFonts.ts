import inter from '@fontsource-variable/inter/unicode.json' with { type: 'json' }
import japanese from '@fontsource-variable/noto-sans-jp/unicode.json' with { type: 'json' }
import korean from '@fontsource-variable/noto-sans-kr/unicode.json' with { type: 'json' }
import chinese from '@fontsource-variable/noto-sans-sc/unicode.json' with { type: 'json' }
import { Font as registry } from '@react-pdf/renderer'
import decompress from 'brotli/decompress.js'
import { create, type Font } from 'fontkit'
import { createContext } from 'react'
import { openFonts } from '#events/pdf-fonts/openFonts.ts'

/** Addresses of the font files. The build adds the files to the client; each is read when a document needs it. */
const addresses = import.meta.glob<string>(
  [
    '../../../../node_modules/@fontsource-variable/inter/files/*-wght-normal.woff2',
    '../../../../node_modules/@fontsource-variable/noto-sans-{jp,kr,sc}/files/*-wght-normal.woff2',
  ],
  { query: '?url', import: 'default', eager: true },
)
const addressOf = new Map(
  Object.entries(addresses).map(([path, address]) => [path.slice(path.lastIndexOf('/') + 1), address]),
)

async function readFont({ name }: { name: string }): Promise<Uint8Array> {
  const response = await fetch(addressOf.get(name) ?? name)
  if (!response.ok) throw new Error(`The font ${name} could not be loaded: the server answered ${response.status}.`)
  return new Uint8Array(await response.arrayBuffer())
}

/** Fonts of documents, shared by all documents of a page. */
export const paperFonts = openFonts({
  registry,
  ranges: { inter, 'noto-sans-jp': japanese, 'noto-sans-kr': korean, 'noto-sans-sc': chinese },
  read: readFont,
  brotli: (bytes) => decompress(bytes as Buffer),
  instance: (font, wght) => (create(font as Buffer) as Font).getVariation({ wght }),
})

/** Font families of the current document. */
export const FontFamilies = createContext<string[]>([])
