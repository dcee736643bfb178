import { artists } from './shows.ts'
import { daySeconds, kib, type MadeFile, mib, padded } from './files.ts'
import { newRandom } from './random.ts'

const departments = [
  { name: 'Finance', group: 'finance', kinds: ['xlsx', 'pdf', 'csv'] },
  { name: 'Legal', group: 'legal', kinds: ['docx', 'pdf'] },
  { name: 'Marketing', group: 'marketing', kinds: ['psd', 'jpg', 'mp4', 'pptx'] },
  { name: 'HR', group: 'hr', kinds: ['docx', 'pdf', 'xlsx'] },
] as const

const topics = ['budget', 'contract', 'invoice', 'plan', 'poster', 'review', 'schedule', 'summary'] as const

/** Sizes by extension in bytes, from and to; others are small documents. */
const sizes: Readonly<Record<string, readonly [number, number]>> = {
  psd: [40 * mib, 900 * mib],
  mp4: [80 * mib, 2_400 * mib],
  jpg: [mib, 14 * mib],
  pptx: [2 * mib, 90 * mib],
  pdf: [80 * kib, 12 * mib],
}

/** Documents of five years, home folders, and a forgotten copy of a laptop. */
export function officeFiles({ first, seed }: { first: number; seed: number }): MadeFile[] {
  const random = newRandom(seed + 6)
  const files: MadeFile[] = []
  const add = (folder: string, group: string, kind: string, day: number, number: number) => {
    const [min, max] = sizes[kind] ?? [20 * kib, 3 * mib]
    const modified = first + day * daySeconds + random.int(8 * 3_600, 17 * 3_600)
    const path = `${folder}/${random.pick(topics)}_${padded(number)}.${kind}`
    const read = modified + random.int(0, 300) * daySeconds
    const owner = random.pick(artists)
    files.push({ path, size: random.int(min, max), modified, from: modified, read, owner, group })
  }
  for (const { name, group, kinds } of departments)
    for (let number = 0; number < 300; number++) {
      const day = -1_700 + Math.floor((number * 1_930) / 300)
      const year = new Date((first + day * daySeconds) * 1_000).getUTCFullYear()
      add(`/${name}/${year}`, group, random.pick(kinds), day, number)
    }
  for (const owner of artists)
    for (let number = 0; number < 60; number++)
      add(
        `/Users/${owner}/Documents`,
        'staff',
        random.pick(['docx', 'pdf', 'jpg', 'zip']),
        random.int(-900, 220),
        number,
      )
  return [...files, ...laptopCopy(files, first)]
}

/** A copy of documents with their own dates: the duplicates that a studio finds first. */
const laptopCopy = (files: readonly MadeFile[], first: number): MadeFile[] =>
  files
    .filter(({ path, from }) => path.startsWith('/Marketing/') && from < first)
    .map((file) => ({ ...file, path: `/Users/grace.kim/Laptop backup${file.path}`, from: first + 34 * daySeconds }))
