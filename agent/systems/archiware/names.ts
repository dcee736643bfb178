import { bytesOfName } from '#events/contract/fileNames.ts'
import { shownName } from '#events/sources/p5Names.ts'

/** Codes of the bytes of characters. P5 reads a slash as a colon. */
const coded = (characters: string): string =>
  [...bytesOfName(characters.replaceAll(':', '/'))].map((byte) => `^${byte.toString(16).padStart(2, '0')}`).join('')

/** A name that P5 may send; any other would lead out of its folder. */
export const isName = (received: string): boolean => !['', '.', '..'].includes(received)

/** P5's form of a file name. */
export const receivedName = (shown: string): string => shown.replaceAll(/[:\\^\uef80-\uefff]/g, coded)

/** The same, in case that P5 has codes for control characters as well. */
export const fullyCodedName = (shown: string): string => receivedName(shown).replaceAll(/\p{Cc}/gu, coded)

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
    .map((name) => segmentOf(name.replaceAll(/[:\\]|\^(?![0-9a-f]{2})/gi, coded)))

/** Path of the entry that segments lead to, from '/' on; '' for none. */
export const shownPath = (segments: readonly string[]): string =>
  segments.map((segment) => `/${shownName(decodeURIComponent(segment))}`).join('')
