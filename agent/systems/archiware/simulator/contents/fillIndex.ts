import type { ArchiveIndex } from './archiveIndex.ts'
import type { NewEntry } from './indexEntry.ts'

/** Names that need encoding in addresses, in inventories, or in both. */
const oddNames = [
  'a:b',
  'back\\slash',
  'caret^2f',
  '100% done + more',
  'a#b?c=d&e',
  `quotes ' " \``,
  'Ünder äö',
  'u\u0308 decomposed',
  '日本語 🎬',
  ' blank',
  ':',
]
const filesOfFolders = [12, 240, 3, 96, 40, 150]
const filesOfLargeLevel = 5_000
const shotsOfReel = 20
const reelsOfShow = 10
const firstArchive = 1_600_000_000

/**
 * Adds this number of entries to an index, always the same ones: shows with reels and shots under `mnt/Projects` (`Volumes/Projects`
 * below a label in an index of imported volumes), files and folders with odd names, and one folder of 5,000 files if there is room.
 */
export function fillIndex(index: ArchiveIndex, count: number): void {
  const budget = { left: count }
  const top = index.isImported ? 'Import.0001/Volumes/Projects' : 'mnt/Projects'
  const wholeTop = top.split('/').map((_, depth, names) => names.slice(0, depth + 1).join('/'))
  for (const folder of wholeTop) addFolder(index, folder, budget)
  for (const name of oddNames) addFolder(index, `${top}/odd names/${name}`, budget, [`${top}/odd names`])
  for (const name of oddNames) addFile(index, `${top}/odd names/${name}/${name}.mov`, 1, budget)
  if (count >= 4 * filesOfLargeLevel) addFiles(index, `${top}/plates`, filesOfLargeLevel, budget)
  for (let shot = 0; budget.left > 0; shot++) {
    const reel = Math.floor(shot / shotsOfReel)
    const show = `${top}/show ${padded(Math.floor(reel / reelsOfShow))}`
    const folders = [show, `${show}/reel ${padded(reel % reelsOfShow)}`]
    addFiles(
      index,
      `${folders[1]}/shot ${padded(shot)}`,
      filesOfFolders[shot % filesOfFolders.length] ?? 0,
      budget,
      folders,
    )
  }
}

type Budget = { left: number }

function addFiles(index: ArchiveIndex, folder: string, count: number, budget: Budget, parents: string[] = []): void {
  addFolder(index, folder, budget, parents)
  for (let i = 0; i < count; i++) addFile(index, `${folder}/frame.${padded(i)}.exr`, i, budget)
}

function addFolder(index: ArchiveIndex, path: string, budget: Budget, parents: string[] = []): void {
  for (const folder of [...parents, path]) {
    if (budget.left === 0 || index.find(folder)) continue
    add(index, folder, { type: 'Directory' }, budget)
  }
}

function addFile(index: ArchiveIndex, path: string, number: number, budget: Budget): void {
  if (budget.left === 0) return
  add(index, path, { size: (number * 7_919) % 1_000_003, ...timesOf(number) }, budget)
}

function add(index: ArchiveIndex, path: string, values: NewEntry, budget: Budget): void {
  const volumes = [String(10_101 + (budget.left % 7))]
  const physicalPath = budget.left % 10 === 0 || index.isImported ? undefined : `/${path}`
  index.add(path, { btime: firstArchive + (budget.left % 1_000_000), volumes, physicalPath, ...values })
  budget.left--
}

const timesOf = (number: number) => ({ mtime: firstArchive - 86_400 - number })

const padded = (number: number): string => String(number).padStart(4, '0')
