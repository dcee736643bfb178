import { setTimeout as wait } from 'node:timers/promises'
import type { ImportRecord } from '#events/imports/imports.ts'
import type { Stores } from '#server/platform/platform.ts'
import { type File, type Folder, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import type { asUser } from '#server/testing.ts'

/** A made-up storage: the entries by their paths, such as `/a/b`; the storage itself is the empty path. */
export type Tree = Map<string, File>

export function newTree(random: Random, entries: number): Tree {
  const tree: Tree = new Map()
  addFolder(tree, '', 1)
  for (let n = 0; n < entries; n++) grow(random, tree, n)
  return tree
}

/** Adds, changes and removes some entries. */
export function changeTree(random: Random, tree: Tree, changes: number): void {
  for (let n = 0; n < changes; n++) {
    const files = [...tree.values()].filter(({ isDirectory }) => !isDirectory)
    const file = random.pick(files)
    const change = random.below(3)
    if (change === 0) grow(random, tree, tree.size * 1_000 + n)
    else if (change === 1) Object.assign(file, { size: random.below(1e6), modified: 1_700_000_000 + n * 3_600 })
    else tree.delete(file.path)
  }
}

function grow(random: Random, tree: Tree, n: number): void {
  const folder = random.pick([...tree.values()].filter(({ isDirectory }) => isDirectory)).path
  const path = `${folder}/${random.pick(['é', 'tab\there', 'new\nline', 'plain', '.hidden'])} ${n}`
  if (random.chance(0.25)) return addFolder(tree, path, n + 2)
  const [size, accessed] = [random.below(1e6), 1_650_000_000 + random.below(1e6)]
  tree.set(path, {
    path,
    size,
    allocatedSize: Math.ceil(size / 512) * 512,
    inode: n + 2,
    accessed,
    modified: 1_640_000_000 + n,
    created: 0,
  })
}

function addFolder(tree: Tree, path: string, inode: number): void {
  tree.set(path, { path, isDirectory: true, size: 4096, allocatedSize: 4096, inode, created: 0, mode: 0o40755 })
}

/** Scans a tree as the agent would. */
export function scanTree(stores: Stores, volumeId: number, indexingDate: string, tree: Tree): Promise<number> {
  const folders = [...tree.values()].filter(({ isDirectory }) => isDirectory)
  const inFolder = Map.groupBy(
    [...tree.values()].filter(({ path }) => path !== ''),
    ({ path }) => path.slice(0, path.lastIndexOf('/')),
  )
  const listed: Folder[] = folders.map(({ path }) => ({ path, entries: inFolder.get(path) ?? [] }))
  return scanFolders(stores, { volumeId, indexingDate }, listed)
}

/** The output of `find /mnt/films -printf` with the default format, with the entries in any order. */
export function findExport(random: Random, tree: Tree): Buffer {
  const lines = [...tree.values()].map((entry) => {
    const {
      path,
      isDirectory,
      size = 0,
      allocatedSize = 0,
      inode,
      modified = 1_600_000_000,
      accessed = 1_600_000_000,
    } = entry
    const mode = isDirectory ? '755' : '644'
    const columns = [
      isDirectory ? 'd' : 'f',
      size,
      Number(allocatedSize) / 512,
      modified,
      accessed,
      'ana',
      'staff',
      mode,
      7,
      inode,
      1,
    ]
    return `${columns.join('\t')}\t/mnt/films${path}\0`
  })
  return Buffer.from(lines.sort(() => random.next() - 0.5).join(''))
}

type Ask = ReturnType<typeof asUser>

/** Uploads an export; returns its import when it is no longer read. */
export async function upload(
  ask: Ask,
  query: Record<string, string | number>,
  file: Buffer | string,
): Promise<ImportRecord> {
  const words = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const { body } = await ask('POST', `/api/v1/imports?${words}`)
    .set('Content-Type', 'application/octet-stream')
    .send(file)
    .expect(200)
  return untilNot(ask, body.id, 'READING')
}

/** Commits an import; returns it when its snapshot is there. */
export async function commitAndWait(ask: Ask, id: number, query = ''): Promise<ImportRecord> {
  await ask('PUT', `/api/v1/imports/${id}/commit${query}`).expect(200)
  return untilNot(ask, id, 'COMMITTING')
}

async function untilNot(ask: Ask, id: number, state: ImportRecord['state']): Promise<ImportRecord> {
  for (;;) {
    const { body } = await ask('GET', `/api/v1/imports/${id}`).expect(200)
    if (body.state !== state) return body
    await wait(20)
  }
}
