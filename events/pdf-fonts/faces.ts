import { Face, type HarfBuzz } from './face.ts'
import { type FontFile, fontFileLookup, type FontPackage, type SubsetRanges } from './fontFiles.ts'

export type FaceSources = {
  ranges: SubsetRanges
  read: (file: FontFile) => Promise<Uint8Array>
  brotli: (bytes: Uint8Array) => Uint8Array
  harfBuzz: HarfBuzz
}

/** Font files, each opened once. */
export class Faces {
  readonly #sources: FaceSources
  readonly #filesOf: ReturnType<typeof fontFileLookup>
  readonly #opened = new Map<string, Promise<Face>>()
  readonly #loaded = new Map<string, Face>()

  constructor(sources: FaceSources) {
    this.#sources = sources
    this.#filesOf = fontFileLookup(sources.ranges)
  }

  /** Opens the files that a text needs. */
  async load(text: string, packages: readonly FontPackage[]): Promise<void> {
    const drawn = text.normalize('NFC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    const codePoints = Array.from(new Set(drawn), (letter) => letter.codePointAt(0) ?? 0)
    await Promise.all(
      codePoints.map(async (codePoint) => {
        for (const file of this.#filesOf(codePoint, packages)) if ((await this.#open(file)).has(codePoint)) return
      }),
    )
  }

  has(codePoint: number): boolean {
    return [...this.#loaded.values()].some((face) => face.has(codePoint))
  }

  /** Returns a lookup of the face that draws a code point. */
  lookup(packages: readonly FontPackage[]): (codePoint: number) => Face | undefined {
    const known = new Map<number, Face>()
    return (codePoint) => {
      const faces = () => this.#filesOf(codePoint, packages).map(({ name }) => this.#loaded.get(name))
      const face = known.get(codePoint) ?? faces().find((face) => face?.has(codePoint))
      if (face) known.set(codePoint, face)
      return face
    }
  }

  #open(file: FontFile): Promise<Face> {
    const opened = this.#opened.get(file.name) ?? this.#read(file)
    this.#opened.set(file.name, opened)
    opened.catch(() => this.#opened.delete(file.name))
    return opened
  }

  async #read(file: FontFile): Promise<Face> {
    const { harfBuzz, read, brotli } = this.#sources
    const face = new Face(harfBuzz, file.name, await read(file), brotli)
    this.#loaded.set(file.name, face)
    return face
  }
}
