import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import inter from '@fontsource-variable/inter/unicode.json' with { type: 'json' }
import japanese from '@fontsource-variable/noto-sans-jp/unicode.json' with { type: 'json' }
import korean from '@fontsource-variable/noto-sans-kr/unicode.json' with { type: 'json' }
import chinese from '@fontsource-variable/noto-sans-sc/unicode.json' with { type: 'json' }
import { Font as registry } from '@react-pdf/renderer'
import { create, type Font } from 'fontkit'
import { openFonts } from '#events/pdf-fonts/openFonts.ts'

/** Fonts of documents, read from the installed packages. */
export const fonts = openFonts({
  registry,
  ranges: { inter, 'noto-sans-jp': japanese, 'noto-sans-kr': korean, 'noto-sans-sc': chinese },
  read: (file) =>
    readFile(fileURLToPath(import.meta.resolve(`@fontsource-variable/${file.package}/files/${file.name}`))),
  instance: (font, wght) => (create(font as Buffer) as Font).getVariation({ wght }),
  brotli: (bytes) => brotliDecompressSync(bytes),
})
