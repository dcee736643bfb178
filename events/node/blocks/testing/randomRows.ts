import { type EntryRow, rowKinds } from '../../../scans/entryRow.ts'
import { nameFromBytes } from '../../../contract/fileNames.ts'
import type { BlockWriter } from '../blockWriter.ts'
import type { Random } from './damage.ts'
import type { DecodedRow } from './decodeBlock.ts'

const empty: DecodedRow = {
  kind: 0,
  parent_path: '',
  name: '',
  is_directory: false,
  size: 0,
  allocated_size: 0,
  link_count: 0,
  device: 0,
  inode: 0,
  owner: '',
  group: '',
  mode: 0,
  link_target: '',
  created: 0,
  modified: 0,
  accessed: 0,
  etag: '',
  storage_class: '',
  backup_date: 0,
  metadata: {},
  partial: false,
  children: 0,
  files: 0,
  compared_scan: 0,
  parts: '',
  moved_to: '',
  not_entered: '',
}

const oddTexts = [
  '',
  'a',
  '\0',
  '\n\t\\',
  "'",
  '\u2028',
  '\ufffd',
  '\uef80',
  '\uefff',
  'né',
  '名',
  '😀',
  'x'.repeat(127),
]
const longTexts = ['y'.repeat(128), '\uef80'.repeat(255), 'z'.repeat(16_384)]
const oddNumbers = [0, 1, 255, 65_536, 2 ** 31, 2 ** 32, 2 ** 53 - 1]
const oddTimes = [...oddNumbers, -1, -(2 ** 31) - 1, -(2 ** 40)]
const oddLongs = [...oddNumbers, 2n ** 53n + 1n, 2n ** 63n + 3n, 2n ** 64n - 1n]

const textOf = (random: Random) => (random.chance(0.1) ? random.pick(longTexts) : random.pick(oddTexts))

export function entryOf(random: Random, hasStore: boolean): EntryRow {
  const file: EntryRow = {
    parentPath: `/${textOf(random)}/`,
    name: textOf(random),
    isDirectory: random.chance(0.3),
    size: random.pick([...oddNumbers, -1]),
    allocatedSize: random.pick([...oddNumbers, -1]),
    linkCount: random.pick([0, 1, 2, 2 ** 32 - 1]),
    device: random.pick(oddLongs),
    inode: random.pick(oddLongs),
    owner: textOf(random),
    group: textOf(random),
    mode: random.pick([0, 0o100644, 0o40755, 2 ** 32 - 1]),
    linkTarget: random.chance(0.2) ? textOf(random) : '',
    created: random.pick(oddTimes),
    modified: random.pick(oddTimes),
    accessed: random.pick(oddTimes),
  }
  if (!hasStore) return file
  const pairs = Array.from({ length: random.below(4) }, (_, n) => [`${n}${textOf(random)}`, textOf(random)])
  return {
    ...file,
    ...(random.chance(0.5) && { etag: textOf(random) }),
    ...(random.chance(0.5) && { storageClass: textOf(random) }),
    ...(random.chance(0.5) && { backupDate: random.pick(oddTimes) }),
    ...(random.chance(0.5) && { metadata: Object.fromEntries(pairs) as Record<string, string> }),
  }
}

const rowOf = (entry: EntryRow): DecodedRow => ({
  ...empty,
  parent_path: entry.parentPath,
  name: entry.name,
  is_directory: entry.isDirectory,
  size: entry.size,
  allocated_size: entry.allocatedSize,
  link_count: entry.linkCount,
  device: entry.device,
  inode: entry.inode,
  owner: entry.owner,
  group: entry.group,
  mode: entry.mode,
  link_target: entry.linkTarget,
  created: entry.created,
  modified: entry.modified,
  accessed: entry.accessed,
  etag: entry.etag ?? '',
  storage_class: entry.storageClass ?? '',
  backup_date: entry.backupDate ?? 0,
  metadata: entry.metadata ?? {},
})

/** Positions of numbers of 64 bits in `statx`, in words. */
const words = { inode: 8, size: 10, blocks: 12, accessed: 16, created: 20, modified: 28 } as const
export const owners = { user: (id: number) => `user ${id}`, group: (id: number) => (id === 0 ? '' : `group ${id}`) }

/** Adds an entry as a walk does, by the buffers of system calls, and returns its row. */
export function addFile(random: Random, writer: BlockWriter, path: string, handle = writer.folder(path)): DecodedRow {
  const numbers = {
    inode: random.pick(oddLongs),
    size: random.pick(oddNumbers),
    blocks: random.pick([0, 1, 8, 2 ** 40]),
    accessed: random.pick(oddTimes),
    created: random.pick(oddTimes),
    modified: random.pick(oddTimes),
  }
  const hasCreated = random.chance(0.7)
  const isLink = random.chance(0.2)
  const mode = random.pick([0o100644, 0o40755, 0o120777])
  const [user, group, linkCount] = [random.below(3), random.below(3), 1 + random.below(3)]
  const [major, minor] = random.pick([
    [8, 1],
    [259, 300],
    [0, 0xfffff],
    [0xffffffff, 0xffffffff],
  ] as const)
  const stat = new Uint32Array(64).fill(0xdeadbeef)
  stat.set([hasCreated ? 0xfff : 0x7ff, 4096], 0)
  stat.set([linkCount, user, group, 0xbeef0000 + mode], 4)
  stat.set([major, minor], 34)
  const view = new DataView(stat.buffer)
  for (const [name, word] of Object.entries(words))
    view.setBigUint64(word * 4, BigInt.asUintN(64, BigInt(numbers[name as keyof typeof words])), true)
  const name = random.chance(0.2)
    ? Buffer.from(Array.from({ length: 1 + random.below(255) }, () => 1 + random.below(255)))
    : Buffer.from(textOf(random).slice(0, 80) || 'n')
  const listing = Buffer.concat([Buffer.from('before\0'), name, Buffer.from('\0after')])
  writer.addFrom(handle, stat, listing, 7, 7 + name.length, isLink ? 'to' : '')
  const device =
    ((BigInt(major & 0xfffff000) & 0xfffff000n) << 32n) |
    BigInt((major & 0xfff) << 8) |
    BigInt(minor & 0xff) |
    ((BigInt(minor) & 0xffffff00n) << 12n)
  return {
    ...empty,
    parent_path: path,
    name: nameFromBytes(name),
    is_directory: (mode & 0o170000) === 0o40000,
    mode,
    size: numbers.size,
    allocated_size: numbers.blocks * 512,
    link_count: linkCount,
    inode: numbers.inode,
    device: device > 2n ** 53n ? device : Number(device),
    owner: owners.user(user),
    group: owners.group(group),
    created: hasCreated ? numbers.created : 0,
    modified: numbers.modified,
    accessed: numbers.accessed,
    link_target: isLink ? 'to' : '',
  }
}

function addMark(random: Random, writer: BlockWriter): DecodedRow {
  const folder = { parentPath: `/${textOf(random)}/`, name: textOf(random) }
  const row = { ...empty, parent_path: folder.parentPath, name: folder.name, is_directory: true }
  const parts = Array.from({ length: random.below(4) }, () => textOf(random))
  const children = random.below(70_000)
  const files = { files: random.below(9), size: random.below(2 ** 40), allocatedSize: random.below(2 ** 40) }
  const scan = 1 + random.below(2 ** 31)
  switch (random.below(9)) {
    case 8:
      const notEntered = textOf(random)
      writer.addNotEntered(folder, notEntered)
      return { ...row, kind: rowKinds.listed, not_entered: notEntered }
    case 4:
      writer.addUnchanged(folder, scan)
      return { ...row, kind: rowKinds.verifiable, compared_scan: scan }
    case 5:
      const moments = { accessed: random.pick(oddTimes), modified: random.pick(oddTimes) }
      writer.addUnchanged(folder, scan, { ...files, ...moments, files: children + 1 })
      const sizes = { size: files.size, allocated_size: files.allocatedSize }
      return { ...row, kind: rowKinds.unchanged, compared_scan: scan, files: children + 1, ...sizes, ...moments }
    case 6:
      writer.addDelta(scan)
      return { ...row, parent_path: '', name: '', kind: rowKinds.delta, compared_scan: scan }
    case 7:
      const movedTo = textOf(random)
      writer.addGone(folder, scan, movedTo)
      return { ...row, kind: rowKinds.gone, compared_scan: scan, moved_to: movedTo }
    case 0:
      writer.addListed(folder, children)
      return { ...row, kind: rowKinds.listed, children }
    case 1:
      writer.addListed(folder, children, files)
      const totals = { size: files.size, allocated_size: files.allocatedSize, files: files.files }
      return { ...row, kind: rowKinds.listed, children, ...totals }
    case 2:
      writer.addUnreadable(folder)
      return { ...row, kind: rowKinds.unreadable }
    default:
      writer.addCheckpoint(parts)
      return {
        ...empty,
        kind: rowKinds.checkpoint,
        parent_path: '/',
        parts: JSON.stringify(parts),
        children: parts.length,
      }
  }
}

/** Adds some rows of all kinds, or of fewer, and returns them in decoded form. */
export function addSome(random: Random, writer: BlockWriter): DecodedRow[] {
  const kinds = random.pick([['object', 'stored', 'file', 'mark'], ['file', 'mark'], ['object'], ['mark']] as const)
  const paths = ['/', '/a/', `/${'\uef80'.repeat(400)}/`]
  const handles = paths.map((path) => writer.folder(path))
  return Array.from({ length: 1 + random.below(60) }, () => {
    const kind = random.pick(kinds)
    if (kind === 'mark') return addMark(random, writer)
    const folder = random.below(paths.length)
    if (kind === 'file') return addFile(random, writer, paths[folder] as string, handles[folder])
    const entry = entryOf(random, kind === 'stored')
    writer.add(entry)
    return rowOf(entry)
  })
}
