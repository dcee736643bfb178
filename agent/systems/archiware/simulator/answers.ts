import type { Behavior } from './behavior.ts'
import { type Answer, answered } from '#agent/simulator/answers.ts'

/** Host of links, which is not the address of the simulator: links are not to be followed. */
const linkHost = 'p5.example:8000'

/** Link to a path. It has no scheme, as on real servers. */
export const linkTo = (...segments: string[]) => ({
  rel: 'self',
  href: [linkHost, 'rest', 'v1', ...segments.map(encodeURIComponent)].join('/'),
})

/** A collection: IDs and links under its own name, without names. */
export const listOf = (group: string, name: string, ids: Iterable<string>): Answer =>
  answered({ [name]: Array.from(ids, (id) => ({ ID: id, links: [linkTo(group, name, id)] })) })

/** Booleans and numbers in the spelling of the server. */
export const spelling = ({ booleans, numbers }: Behavior) => ({
  boolean(value: boolean): boolean | number | string {
    if (booleans === 'boolean') return value
    return booleans === 'number' ? Number(value) : String(Number(value))
  },
  number: (value: number): number | string => (numbers === 'text' ? String(value) : value),
})

/** Text of a value that is not set. */
export const emptyText = '<empty>'
