import { Refused } from './answers.ts'

/** Route of a request, and the decoded variable segments of its path. */
export type FoundRoute<T> = { name: string; route: T; params: string[] }

/**
 * Finds routes in a table by names such as `GET jobs/:/files`. `:` is one segment, and `*` at the end any number of them. The first route
 * that matches is used.
 */
export function newRoutes<T>(table: Record<string, T>) {
  const routes = Object.entries(table).map(([name, route]) => {
    const [method = '', path = ''] = name.split(' ')
    const isOpen = path.endsWith('*')
    return { name, method, names: (isOpen ? path.slice(0, -1) : path).split('/'), isOpen, route }
  })
  type Route = (typeof routes)[number]
  const isMatch = ({ names, isOpen }: Route, segments: string[]): boolean =>
    (isOpen ? segments.length >= names.length : segments.length === names.length) &&
    names.every((name, i) => (name === ':' ? segments[i] !== '' : name === segments[i]))
  return {
    /** Throws the answer to a path that can't be decoded. */
    find(method: string, path: string): FoundRoute<T> | undefined {
      const segments = path.split('/')
      const found = routes.find((each) => each.method === method && isMatch(each, segments))
      if (!found) return undefined
      const { name, names, route } = found
      return { name, route, params: segments.filter((_, i) => i >= names.length || names[i] === ':').map(decoded) }
    },
    /** True for a path that exists with any method. */
    hasPath: (path: string): boolean => routes.some((each) => isMatch(each, path.split('/'))),
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Refused({ status: 400, body: `Bad Request: ${segment}` })
  }
}
