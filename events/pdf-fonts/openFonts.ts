import { breakLong, shorten } from './breakLong.ts'
import { unitsPerEm, type Weight, weights } from './face.ts'
import { type FaceSources, Faces } from './faces.ts'
import { packagesFor } from './fontFiles.ts'
import { PdfFont } from './pdfFont.ts'
import { asName, asSentence, spelled } from './spelling.ts'

/** The PDF library's registry of fonts. */
type FontRegistry = {
  /** Parts of a word at which it may be hyphenated. */
  registerHyphenationCallback: (split: (word: string) => string[]) => void
  register: (fonts: { family: string; fonts: { src: string; fontWeight: number }[] }) => void
  getFont: (descriptor: { fontFamily: string; fontWeight: number }) => unknown
}

export type PdfFonts = {
  /** Loads the fonts that a text needs. Returns their family, for `fontFamily`. Throws if a file can't be read. */
  load: (text: string) => Promise<string>
  /** A sentence as it can be drawn after `load`: characters that no font has are replaced by their code points. */
  written: (text: string) => string
  /**
   * The same for a name, which may be from right to left. Words that are longer than a width in font sizes are broken between
   * letters.
   */
  fitted: (text: string, width: number, weight?: Weight) => string
  /** The same on one line, which ends with an ellipsis if the text is longer. */
  shortened: (text: string, width: number) => string
}

/** Loads the Latin letters, which labels need. */
const latin = 'A'

/**
 * Fonts of PDF documents: Inter, and Noto Sans for other scripts. Only files whose characters occur in a text are read,
 * each once.
 */
export function openFonts({ registry, ...sources }: FaceSources & { registry: FontRegistry }): PdfFonts {
  // Names are drawn as they are spelled.
  registry.registerHyphenationCallback((word) => [word])
  const faces = new Faces(sources)
  const families = new Map<string, PdfFont[]>()
  let measured: PdfFont[] = []

  const spell = (text: string) => spelled(text, (codePoint) => faces.has(codePoint))
  const widthIn = (weight: Weight) => {
    const font = measured.find((font) => font.weight === weight)
    return (text: string) => (font?.layout(text).advanceWidth ?? 0) / unitsPerEm
  }

  return {
    load: async (text) => {
      const packages = packagesFor(text)
      await faces.load(latin + text, packages)
      const family = `letters-${packages.at(-3)}`
      measured = families.get(family) ?? register(registry, family, faces.lookup(packages))
      families.set(family, measured)
      return family
    },
    written: (text) => eachLine(spell(text), asSentence),
    fitted: (text, width, weight = 400) => eachLine(breakLong(spell(text), width, widthIn(weight)), asName),
    shortened: (text, width) => asName(shorten(spell(text), width, widthIn(400))),
  }
}

/** Registers a family, and returns its fonts. */
function register(registry: FontRegistry, family: string, faceOf: ReturnType<Faces['lookup']>): PdfFont[] {
  registry.register({ family, fonts: weights.map((fontWeight) => ({ src: family, fontWeight })) })
  return weights.map((fontWeight) => {
    const data = new PdfFont(`${family}-${fontWeight}`, fontWeight, faceOf)
    // The library would otherwise read a file.
    const source = { data, loadResultPromise: Promise.resolve() }
    Object.assign(registry.getFont({ fontFamily: family, fontWeight }) as typeof source, source)
    return data
  })
}

const eachLine = (text: string, change: (line: string) => string): string => text.split('\n').map(change).join('\n')
