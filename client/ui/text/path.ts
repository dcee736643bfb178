import { separatorOf } from '#events/sources/fullPath.ts'

/** Parent folder of a path, also of a full one; `/` is the root of the storage. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf(separatorOf(path))) || '/'

export const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Typed path in the form that the server stores. Keeps spaces; undefined if it is not a path. */
export const typedPath = (text: string): string | undefined =>
  text.startsWith('/') ? text.replace(/\/+$/, '') || '/' : undefined
