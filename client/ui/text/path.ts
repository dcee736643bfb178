/** A long path cut in the middle, its last name kept whole as far as `most` characters allow. */
export function cutPath(path: string, most: number): string {
  if (path.length <= most) return path
  const name = path.slice(path.lastIndexOf('/'))
  const tail = Math.min(Math.max(name.length, Math.ceil((most - 1) / 2)), most - 2)
  return `${path.slice(0, most - 1 - tail)}…${path.slice(path.length - tail)}`
}
