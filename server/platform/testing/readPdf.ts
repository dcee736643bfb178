import { inflateSync } from 'node:zlib'

/**
 * The text of each page of a document by the PDF library, line by line as drawn, from left to right. Throws if a font isn't
 * embedded, or if a text is far outside of its page.
 */
export function readPdf(bytes: Uint8Array): string[][] {
  const file = Buffer.from(bytes).toString('latin1')
  const fonts = fontsOf(file)
  const pages = [...file.matchAll(/\/Type \/Page\b[^]*?\/Contents (\d+) 0 R/g)].map(([, number]) => Number(number))
  return pages.map((number) => linesOf(streamOf(file, number), fonts))
}

/** Characters of each glyph of a font. */
type Font = Map<number, string>

/** Embedded fonts by their names in pages, as `F1`. */
function fontsOf(file: string): Map<string, Font> {
  const names = [...file.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(
    ([, name = '', number]) => [name, Number(number)] as const,
  )
  return new Map(
    names.flatMap(([name, number]) => {
      const unicode = /\/ToUnicode (\d+) 0 R/.exec(objectOf(file, number))?.[1]
      return unicode === undefined ? [] : [[name, glyphsOf(streamOf(file, Number(unicode)))] as const]
    }),
  )
}

/** Each range has a first and a last glyph, and the characters of each in UTF-16. */
function glyphsOf(table: string): Font {
  const ranges = [...table.matchAll(/<([\da-f]{4})> <[\da-f]{4}> \[([^\]]*)\]/gi)]
  return new Map(
    ranges.flatMap(([, first = '', letters = '']) =>
      [...letters.matchAll(/<([^>]*)>/g)].map(
        ([, codes = ''], i) => [Number.parseInt(first, 16) + i, utf16(codes)] as const,
      ),
    ),
  )
}

const utf16 = (codes: string): string => Buffer.from(codes.replaceAll(' ', ''), 'hex').swap16().toString('utf16le')

const objectOf = (file: string, number: number): string => {
  const begin = file.indexOf(`\n${number} 0 obj`)
  return file.slice(begin, file.indexOf('endobj', begin))
}

function streamOf(file: string, number: number): string {
  const object = file.slice(file.indexOf(`\n${number} 0 obj`))
  const length = Number(/\/Length (\d+)/.exec(object)?.[1])
  const begin = object.indexOf('stream\n') + 'stream\n'.length
  return inflateSync(Buffer.from(object.slice(begin, begin + length), 'latin1')).toString('latin1')
}

/** A line ends where the text position is dropped. */
const lineEnd = /ET\nQ\n1 0 0 1 \S+ \S+ cm\nQ/

/** Piece of a line: glyphs of one font, as hexadecimal numbers with spacing between them. */
const piece = /\/(F\d+) \S+ Tf\n\[([^\]]*)\] TJ/g

/** Lines of a page. All lines of a paragraph but its last end with a blank. */
function linesOf(stream: string, fonts: Map<string, Font>): string[] {
  const [outside] = /^1 0 0 1 (-?\d{4,}\S* \S+|\S+ -?\d{4,}\S*) cm$/m.exec(stream) ?? []
  if (outside !== undefined) throw new Error(`A text is outside of its page: ${outside}`)
  return stream
    .split(lineEnd)
    .map((line) =>
      [...line.matchAll(piece)].map(([, font = '', glyphs = '']) => textOf(glyphs, fonts.get(font))).join(''),
    )
    .filter((line) => line !== '')
    .reduce<string[]>((lines, line) => {
      const before = lines.at(-1)
      return before?.endsWith(' ') ? [...lines.slice(0, -1), before + line] : [...lines, line]
    }, [])
}

function textOf(glyphs: string, font: Font | undefined): string {
  if (!font) throw new Error('A font of this text is not embedded')
  const numbers = [...glyphs.matchAll(/<([\da-f]*)>/gi)].flatMap(([, codes = '']) => codes.match(/.{4}/g) ?? [])
  return numbers.map((number) => font.get(Number.parseInt(number, 16)) ?? '').join('')
}
