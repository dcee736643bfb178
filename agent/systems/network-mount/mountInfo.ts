import { readFile } from 'node:fs/promises'

/** A file system that is mounted; `id` is another one for each mount. */
export type Mounted = { id: number; point: string; type: string }

/** What is mounted on this machine, as the kernel says: the last one of a place lies on top. */
export const readMounts = async (): Promise<Mounted[]> => mountsIn(await readFile('/proc/self/mountinfo', 'utf8'))

/** Reads `/proc/self/mountinfo`; see proc(5). */
export function mountsIn(text: string): Mounted[] {
  return text.split('\n').flatMap((line) => {
    const [about = '', more = ''] = line.split(' - ')
    const [id, , , , point] = about.split(' ')
    const [type] = more.split(' ')
    return id && point && type ? [{ id: Number(id), point: unescaped(point), type: unescaped(type) }] : []
  })
}

/** Blanks and backslashes stand as their numbers in base eight. */
const unescaped = (word: string): string =>
  word.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))

/** What is mounted at a place or below it, the lowest first. */
export const mountsBelow = async (folder: string): Promise<string[]> =>
  (await readMounts())
    .map(({ point }) => point)
    .filter((point) => point === folder || point.startsWith(`${folder}/`))
    .toReversed()
