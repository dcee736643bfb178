import type { Random } from '#events/node/blocks/testing/damage.ts'
import type { ArchiveIndex } from './archiveIndex.ts'
import { type IndexEntry, pathOf } from './indexEntry.ts'

const names = ['a', 'b.mov', 'c:d', 'e\\f', 'g^h', 'Ünder', '50% + #?', 'i j']

const sizeAndTime = (random: Random) => ({
  size: random.below(5_000_000),
  mtime: 1_500_000_000 + random.below(1_000_000),
})

type Change = (index: ArchiveIndex, random: Random, path: string) => void

/** Changes in a directory. */
const additions: Change[] = [
  (index, random, path) => index.add(`${path}/${random.pick(names)}`, sizeAndTime(random)),
  (index, random, path) => index.add(`${path}/${random.pick(names)}`, { type: 'Directory' }),
  (index, random, path) => index.add(`${path}/${random.pick(names)}/${random.pick(names)}`, sizeAndTime(random)),
]

/** Changes of a file, or of the directory as a whole. */
const alterations: Change[] = [
  (index, random, path) => index.change(path, sizeAndTime(random)),
  (index, random, path) => index.change(path, { mtime: sizeAndTime(random).mtime }),
  (index, random, path) => index.change(path, { volumes: [String(10_101 + random.below(3))] }),
  (index, _, path) => index.change(path, {}),
  (index, random, path) => {
    if (!isDirectory(index, path) || random.chance(0.1)) index.remove(path)
  },
  (index, random, path) => {
    const wasDirectory = isDirectory(index, path)
    if (wasDirectory && random.chance(0.9)) return
    index.remove(path)
    index.add(path, wasDirectory ? sizeAndTime(random) : { type: 'Directory' })
  },
]

const isDirectory = (index: ArchiveIndex, path: string) => index.find(path)?.children !== undefined

/**
 * Changes an index: files and directories appear, get generations, vanish, or replace each other. The same seed makes the same changes
 * of the same index. Archive times are those of the index's clock.
 */
export function changeIndexAtRandom(index: ArchiveIndex, random: Random, count: number): void {
  for (let left = count; left > 0;) {
    const entries = [...index.entries()].filter((entry) => isListed(index, entry))
    const directories = entries.filter(({ children }) => children)
    if (!index.isImported || directories.length === 0) directories.push(index.root)
    for (const end = left - Math.ceil(entries.length / 20) - 1; left > Math.max(0, end); left--) {
      const isAddition = entries.length === 0 || random.chance(1 / 3)
      const path = pathOf(random.pick(isAddition ? directories : entries))
      if (isAddition && isDirectory(index, path)) random.pick(additions)(index, random, path)
      if (!isAddition && index.find(path)) random.pick(alterations)(index, random, path)
    }
  }
}

/** False for volume labels and the folders next to them: clients begin below those. */
const isListed = (index: ArchiveIndex, entry: IndexEntry) => !index.isImported || pathOf(entry).split('/').length >= 2
