import type { Client } from '../client.ts'
import { CallRefused, NotFound } from '../failures.ts'
import { readObject } from '../lists.ts'
import { fullyCodedName, receivedName, segmentOf } from '../names.ts'
import { numberOf, propertyOf, headerEncodings, isTemporary, readHandle } from '../unconfirmed.ts'
import type { PlannedFile } from '#events/actions/files.ts'

/** A path as a header, and its form: P5 wants some paths with a leading slash, others without, and names in one of two forms. */
type PathForm = { value: string; encode: (value: string) => string; traits: string[]; isPartial: boolean }

/** Entry of a file in the index: with the same size and modified time, or with others. */
export type Match = 'same' | 'other'

type Place = Pick<PlannedFile, 'place' | 'size' | 'modified'>
export type Handles = ReturnType<typeof newHandles>

/**
 * Finds the handles of entries of an index by their paths, as `shownName` shows names. Most paths need one request: the form that worked
 * last is tried first. Throws what the client throws.
 */
export function newHandles(client: Client, { index, clientId }: { index: string; clientId: string }) {
  let best: string[] = []

  /** All generations of an entry; none if P5 does not know it. */
  async function generations(handle: string, signal: AbortSignal): Promise<{ size: number; modified: number }[]> {
    const details = await client.call('GET', `archive/entries/${segmentOf(handle)}`, {
      read: readObject,
      signal,
      tries: 1,
    })
    const [sizes, times] = ['size', 'mtime'].map((name) => [propertyOf(details, name) ?? []].flat().map(numberOf))
    return (sizes ?? []).map((size, i) => ({ size: size ?? -1, modified: times?.[i] ?? -1 }))
  }

  async function match(handle: string, file: Place, signal: AbortSignal): Promise<Match | undefined> {
    const found = await generations(handle, signal).catch(orRefused([]))
    if (found.length === 0) return undefined
    const isSame = found.some(({ size, modified }) => size === file.size && modified === Math.floor(file.modified))
    return isSame ? 'same' : 'other'
  }

  return {
    /** Compares the generations of an entry with a file; undefined if P5 does not know it. */
    match,
    /** Handle of an entry, undefined if the index has none in any form of its path. */
    async find(file: Place, signal: AbortSignal): Promise<string | undefined> {
      const rank = ({ traits }: PathForm) => traits.filter((trait) => best.includes(trait)).length
      for (const form of formsOf(file.place).sort((a, b) => rank(b) - rank(a))) {
        const parameters = { client: clientId, path: form.value, database: index }
        const options = {
          parameters,
          encode: form.encode,
          read: (body: unknown) => readHandle(body) ?? '',
          signal,
          tries: 1,
        }
        const handle = await client.call('GET', 'archive/entries', options).catch(orRefused(''))
        // Without its first folder, a path may be that of another entry.
        if (handle === '' || (form.isPartial && (await match(handle, file, signal)) !== 'same')) continue
        best = form.traits
        return handle
      }
      return undefined
    },
  }
}

/** Forms of a path. An index of imported volumes has entries below the labels of volumes, which are no part of the path. */
function formsOf(place: string): PathForm[] {
  const shown = place.split('/').filter((name) => name !== '')
  const forms = { received: shown.map(receivedName), shown, coded: shown.map(fullyCodedName) }
  // Of equal forms, the first one is tried.
  const names = new Map(
    Object.entries(forms)
      .toReversed()
      .map(([trait, parts]) => [parts.join('/'), { trait, parts }]),
  )
  const paths = [...names].toReversed().flatMap(([path, { trait, parts }]) => {
    return [
      { value: `/${path}`, traits: [trait, 'slash'], isPartial: false },
      { value: path, traits: [trait, 'no slash'], isPartial: false },
      { value: `/${parts.slice(1).join('/')}`, traits: [trait, 'without label'], isPartial: true },
    ]
  })
  return paths
    .filter(({ value }) => value !== '/' && value !== '')
    .flatMap((path) =>
      headerEncodings(path.value).map((encode, i) => ({ ...path, encode, traits: [...path.traits, `encoding ${i}`] })),
    )
    .sort((a, b) => Number(a.isPartial) - Number(b.isPartial))
}

/** A value instead of a refusal that will stay the same. */
const orRefused =
  <T>(value: T) =>
  (error: unknown): T => {
    const isRefused = error instanceof CallRefused && !isTemporary(error.debugMessage)
    if (isRefused || error instanceof NotFound) return value
    throw error
  }
