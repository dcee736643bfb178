import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Random } from '#events/node/blocks/testing/damage.ts'

const names = ['a', 'b', 'c', 'd one', 'e.mov', 'f.tar.gz', 'ü', 'b two']

/** All folders of a tree, including the root, and everything else in it. */
function entriesOf(root: string): { folders: string[]; files: string[] } {
  const found = readdirSync(root, { recursive: true, withFileTypes: true })
  const pathsOf = (entries: typeof found) => entries.map(({ parentPath, name }) => join(parentPath, name))
  const folders = found.filter((entry) => entry.isDirectory())
  return { folders: [root, ...pathsOf(folders)], files: pathsOf(found.filter((entry) => !entry.isDirectory())) }
}

const changes: ((random: Random, file: string, folder: string) => void)[] = [
  (_, file) => appendFileSync(file, 'more'),
  (random, file) => utimesSync(file, 1_600_000_000 + random.below(9), 1_500_000_000 + random.below(9)),
  (random, file) => chmodSync(file, random.pick([0o600, 0o644])),
  (_, file) => rmSync(file),
  (random, file, folder) => renameSync(file, join(folder, random.pick(names))),
  (random, file, folder) => linkSync(file, join(folder, random.pick(names))),
  (random, _, folder) => symlinkSync('anywhere', join(folder, random.pick(names))),
  (random, _, folder) => writeFileSync(join(folder, random.pick(names)), 'x'.repeat(random.below(5_000))),
  (random, _, folder) => writeFileSync(join(folder, random.pick(names)), ''),
  (random, _, folder) => mkdirSync(join(folder, random.pick(names))),
  (random, _, folder) => mkdirSync(join(folder, random.pick(names), random.pick(names)), { recursive: true }),
  (random, _, folder) => random.chance(0.05) && rmSync(folder, { recursive: true }),
]

/** Applies a random change to a tree on disk. Impossible changes are skipped. */
export function changeTree(random: Random, root: string): void {
  const { folders, files } = entriesOf(root)
  const [file, folder] = [random.pick(files) ?? join(root, 'none'), random.pick(folders)]
  try {
    random.pick(changes)(random, file, folder)
  } catch {
    // For example moving a folder into itself, or to an existing name.
  }
  mkdirSync(root, { recursive: true })
}
