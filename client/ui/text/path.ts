/** The folder that an entry lies in; `/` is the root of its storage. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** The last part of a path. */
export const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** A typed path as the server keeps it, with its blanks; undefined of what is no path. */
export const typedPath = (text: string): string | undefined =>
  text.startsWith('/') ? text.replace(/\/+$/, '') || '/' : undefined
