import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { textOf } from './textOf.ts'

/** Bytes that this process may use, and the source of the limit. */
export type MemoryLimit = { bytes: number; source: string }

type Places = { root?: string; total?: number }

/** The smallest of the machine's memory and the limits of this process's control groups, including their parents. */
export function findMemoryLimit({ root = '/', total = totalmem() }: Places = {}): MemoryLimit {
  const limits = mountsOf(root).flatMap((mount) => limitsBelow(mount, root))
  const smallest = Math.min(...limits)
  return smallest < total ? { bytes: smallest, source: 'cgroup' } : { bytes: total, source: 'machine' }
}

/** A mounted hierarchy: its folder, the group that folder is, and the group of this process. */
type Mount = { folder: string; mounted: string; group: string; files: readonly string[] }

/** Above `memory.high` processes are slowed down, so it limits as well. */
const filesOfVersion2 = ['memory.max', 'memory.high']
const filesOfVersion1 = ['memory.limit_in_bytes']

function mountsOf(root: string): Mount[] {
  const groups = textOf(join(root, 'proc/self/cgroup'))
    .split('\n')
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line) ?? [])
  const groupOf = (isWanted: (controllers: string) => boolean) =>
    groups.find(([, controllers]) => controllers !== undefined && isWanted(controllers))?.[2]
  return textOf(join(root, 'proc/self/mountinfo'))
    .split('\n')
    .flatMap((line): Mount[] => {
      const [before = '', after = ''] = line.split(' - ')
      const [, , , mounted = '', folder = ''] = before.split(' ')
      const [type, , options = ''] = after.split(' ')
      const isVersion1 = type === 'cgroup' && options.split(',').includes('memory')
      if (type !== 'cgroup2' && !isVersion1) return []
      const group = groupOf((controllers) =>
        isVersion1 ? controllers.split(',').includes('memory') : controllers === '',
      )
      if (group === undefined) return []
      return [{ folder, mounted, group, files: isVersion1 ? filesOfVersion1 : filesOfVersion2 }]
    })
}

/** Limits of the group and of each group above it, up to the mounted one. */
function limitsBelow({ folder, mounted, group, files }: Mount, root: string): number[] {
  const limits: number[] = []
  const top = join(root, folder)
  for (let at = join(top, pathIn(mounted, group)); at.startsWith(top); at = dirname(at)) {
    for (const file of files) limits.push(...numberIn(join(at, file)))
    if (at === dirname(at)) break
  }
  return limits
}

/** A container may see its own group as the root, or the path of the host, and only its end is mounted. */
function pathIn(mounted: string, group: string): string {
  if (mounted === '/' || mounted === '') return group.includes('..') ? '' : group
  return group === mounted || group.startsWith(`${mounted}/`) ? group.slice(mounted.length) : ''
}

/** Version 2 writes `max` for no limit, version 1 a number larger than any memory. */
function numberIn(file: string): number[] {
  const text = textOf(file).trim()
  return /^\d+$/.test(text) && Number(text) > 0 ? [Number(text)] : []
}
