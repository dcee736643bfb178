import { shownName } from '#events/sources/p5Names.ts'

const codes: Record<string, string> = { ':': '^2f', '\\': '^5c', '^': '^5e' }

/** A name that P5 may send; any other would lead out of its folder. */
export const isName = (received: string): boolean => !['', '.', '..'].includes(received)

/** P5's form of a file name. */
export const receivedName = (shown: string): string =>
  shown.replaceAll(/[:\\^]/g, (character) => codes[character] ?? '')

/** Segment of a URL that names an entry as it was received. */
export const segmentOf = (received: string): string => encodeURIComponent(received.toWellFormed())

/**
 * Segments of a path that people typed, who may have copied P5's form: its codes stay, and characters that it never sends are encoded.
 * '/' has no segments.
 */
export const typedSegments = (path: string): string[] =>
  path
    .split('/')
    .filter(isName)
    .map((name) => segmentOf(name.replaceAll(/[:\\]|\^(?!2f|5c|5e)/gi, (character) => codes[character] ?? '')))

/** Path of the entry that segments lead to, from '/' on; '' for none. */
export const shownPath = (segments: readonly string[]): string =>
  segments.map((segment) => `/${shownName(decodeURIComponent(segment))}`).join('')
