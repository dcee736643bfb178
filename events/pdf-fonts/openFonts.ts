import { type FontFile, fontFileLookup, packagesFor, type SubsetRanges } from './fontFiles.ts'
import { assembleFont } from './assembleFont.ts'
import { type FontInstance, staticFont } from './staticFont.ts'
import { unpackWoff2 } from './unpackWoff2.ts'

/** The PDF library's registry of fonts. */
type FontRegistry = {
  /** Parts of a word at which it may be hyphenated. */
  registerHyphenationCallback: (split: (word: string) => string[]) => void
  register: (fonts: { family: string; fonts: { src: string; fontWeight: number }[] }) => void
  load: (descriptor: { fontFamily: string; fontWeight: number }) => Promise<unknown>
  getFont: (descriptor: { fontFamily: string; fontWeight: number }) => {
    data: { hasGlyphForCodePoint: (codePoint: number) => boolean } | null
  }
}

export type FontSources = {
  registry: FontRegistry
  ranges: SubsetRanges
  read: (file: FontFile) => Promise<Uint8Array>
  brotli: (bytes: Uint8Array) => Uint8Array
  /** Opens a variable font at a weight. */
  instance: (font: Uint8Array, weight: number) => FontInstance
}

export type PdfFonts = {
  /**
   * Loads the fonts that a text needs. Returns the families of all loaded fonts, in the order in which the text needs
   * them, for `fontFamily`. Throws if a file can't be read.
   */
  load: (text: string) => Promise<string[]>
  /** Text as it can be drawn after `load`: characters that no font has are replaced by `?`. */
  written: (text: string) => string
}

type HasLetter = (codePoint: number) => boolean

/** Regular and bold. */
const weights = [400, 700]

/** Loads the Latin letters, which labels need. */
const latin = 'A'

/**
 * Fonts of PDF documents: Inter, and Noto Sans for Japanese, Korean and Chinese. Only files whose characters occur in a
 * text are read, each once.
 */
export function openFonts({ registry, ranges, read, brotli, instance }: FontSources): PdfFonts {
  // Names are drawn as they are spelled.
  registry.registerHyphenationCallback((word) => [word])
  const filesOf = fontFileLookup(ranges)
  const opened = new Map<string, Promise<HasLetter>>()
  const loaded = new Map<string, HasLetter>()

  const open = async (file: FontFile): Promise<HasLetter> => {
    const tables = unpackWoff2(await read(file), brotli)
    const variable = assembleFont(tables)
    const ofWeight = (fontWeight: number) => {
      const own = staticFont(tables, instance(variable, fontWeight), `${file.name}-${fontWeight}`)
      return { src: dataUrl(assembleFont(own)), fontWeight }
    }
    registry.register({ family: file.name, fonts: weights.map(ofWeight) })
    await Promise.all(weights.map((fontWeight) => registry.load({ fontFamily: file.name, fontWeight })))
    const font = registry.getFont({ fontFamily: file.name, fontWeight: 400 }).data
    const has: HasLetter = (codePoint) => font?.hasGlyphForCodePoint(codePoint) ?? false
    loaded.set(file.name, has)
    return has
  }
  const openOnce = (file: FontFile) => {
    const font = opened.get(file.name) ?? open(file)
    opened.set(file.name, font)
    font.catch(() => opened.delete(file.name))
    return font
  }

  return {
    load: async (text) => {
      const packages = packagesFor(text)
      const used = await Promise.all(
        codePointsOf(latin + text).map(async (codePoint) => {
          for (const file of filesOf(codePoint, packages)) {
            const has = await openOnce(file)
            if (has(codePoint)) return [file]
          }
          return []
        }),
      )
      const files = used.flat()
      const needed = packages.flatMap((name) => files.filter((file) => file.package === name).map(nameOf))
      return [...new Set([...needed, ...loaded.keys()])]
    },
    written: (text) =>
      Array.from(text.normalize('NFC'), (letter) => {
        const codePoint = letter.codePointAt(0) ?? 0
        return letter === '\n' || [...loaded.values()].some((has) => has(codePoint)) ? letter : '?'
      }).join(''),
  }
}

const nameOf = ({ name }: FontFile): string => name

const codePointsOf = (text: string): number[] =>
  [...new Set(text.normalize('NFC'))].map((letter) => letter.codePointAt(0) ?? 0)

/** The registry reads files only from addresses. */
function dataUrl(bytes: Uint8Array): string {
  const size = 32_768
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    String.fromCharCode(...bytes.subarray(i * size, (i + 1) * size)),
  )
  return `data:font/ttf;base64,${btoa(pieces.join(''))}`
}
