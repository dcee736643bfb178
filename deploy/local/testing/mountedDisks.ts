import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs shell commands; throws with their output if one fails. */
export const shell = (commands: string): string => execFileSync('sh', ['-e', '-c', commands], { encoding: 'utf8' })

const imageSize = '256M'

/**
 * Mounts an image of a new file system at `folder`, or a `tmpfs`, of this size. Returns the reason if this machine can't. `unmountAll`
 * unmounts it.
 */
export function mountDisk(folder: string, type: 'ext4' | 'btrfs' | 'tmpfs', size = imageSize): string | undefined {
  mkdirSync(folder, { recursive: true })
  const image = `${folder}.img`
  const commands =
    type === 'tmpfs'
      ? `mount -t tmpfs -o size=${size},mode=711 tmpfs ${folder}`
      : `truncate -s ${size} ${image} && mkfs.${type} -q ${image} && mount -o loop ${image} ${folder}`
  const { status, stderr, error } = spawnSync('sh', ['-c', commands], { encoding: 'utf8' })
  if (status !== 0) return `${type} can't be mounted: ${error?.message ?? stderr.trim().split('\n').at(-1)}`
  mounted.push(folder)
  return undefined
}

const mounted: string[] = []
export function unmountAll(): void {
  for (const folder of mounted.splice(0).toReversed()) spawnSync('umount', ['-l', folder])
}

/** Bytes that `du` counts in folders together, each file once and without the folders' own entries; other file systems are left out. */
export function diskUsage(folders: string[], ...options: string[]): number {
  const isApparent = options.includes('--apparent-size')
  const lines = execFileSync('du', ['-s', '-c', '-x', '-B1', ...options, ...folders], { encoding: 'utf8' }).split('\n')
  const total = Number(lines.find((line) => line.endsWith('\ttotal'))?.split('\t')[0])
  if (isApparent && !countsApparentFolders()) return total
  const own = folders.flatMap((folder) => {
    // `find` also shows the folder that another file system is mounted on.
    const found = execFileSync('find', [folder, '-xdev', '-type', 'd', '-printf', '%D %s %b\n'], { encoding: 'utf8' })
    const rows = found
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number))
    return rows.filter(([device]) => device === rows[0]?.[0])
  })
  return own.reduce((rest, [, size = 0, blocks = 0]) => rest - (isApparent ? size : blocks * 512), total)
}

/** True for `du` before coreutils 9.2: newer ones don't count the apparent sizes of folders. */
function countsApparentFolders(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'dataintell-du-'))
  try {
    return !execFileSync('du', ['-s', '-B1', '--apparent-size', folder], { encoding: 'utf8' }).startsWith('0\t')
  } finally {
    rmdirSync(folder)
  }
}

/** Used bytes of the file system of a folder, as `df` shows them. */
export const usedBytes = (folder: string): number => {
  const lines = execFileSync('df', ['-B1', '--output=used', folder], { encoding: 'utf8' }).trim().split('\n')
  return Number(lines.at(-1))
}

export const inFolder = (root: string, ...paths: string[]): string[] => paths.map((path) => join(root, path))
