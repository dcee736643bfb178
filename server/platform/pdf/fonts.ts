import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { Font as registry } from '@react-pdf/renderer'
import * as harfBuzz from 'harfbuzzjs'
import { fontPackages, type SubsetRanges } from '#events/pdf-fonts/fontFiles.ts'
import { openFonts } from '#events/pdf-fonts/openFonts.ts'

const pathOf = (name: string): string => fileURLToPath(import.meta.resolve(`@fontsource-variable/${name}`))

const ranges = fontPackages.map((name) => [name, JSON.parse(readFileSync(pathOf(`${name}/unicode.json`), 'utf8'))])

/** Fonts of documents, read from the installed packages. */
export const fonts = openFonts({
  registry,
  ranges: Object.fromEntries(ranges) as SubsetRanges,
  read: (file) => readFile(pathOf(`${file.package}/files/${file.name}`)),
  brotli: (bytes) => brotliDecompressSync(bytes),
  harfBuzz,
})
