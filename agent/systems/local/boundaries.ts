import { realpathSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { IncludedPlace } from '#events/scans/lifecycle.ts'
import {
  namedNotEntered,
  type NotEntered,
  notEnteredText,
  notEnteredWords,
  readNotEntered,
} from '#events/scans/notEntered.ts'
import { sharesExtents } from './extents.ts'
import { isRemote, isWithin, mountOf, type Mounted, readMounts, readMountsSync, visibleMounts } from './mounts.ts'

/** File systems without stored files. They are never entered. */
const kernelTypes: ReadonlySet<string> = new Set(
  `bdev bpf binder binfmt_misc cgroup cgroup2 configfs cpuset debugfs devpts efivarfs functionfs fusectl hugetlbfs mqueue nfsd nsfs
  proc pstore resctrl rpc_pipefs securityfs selinuxfs smackfs sysfs tracefs`.split(/\s+/),
)
const isKernelType = (type: string): boolean => kernelTypes.has(type)

/**
 * Boundaries of a storage: paths in it that a scan doesn't enter, with the reason as `not_entered` has it, and the types of the file systems
 * that it enters, by device.
 */
export type Boundaries = {
  notEntered: Map<string, string>
  included: IncludedPlace[]
  types: Map<string, string>
  /** Types of the included file systems by their paths, each after those that it is below. */
  typesByPath: Map<string, string>
}

/** ID of a file system that stays the same after a restart, if its source is unique. */
export const fileSystemId = ({ type, source, device }: Mounted): string =>
  /[/:]/.test(source) && source !== '/dev/fuse' ? source : `${type} ${device}`

/** The boundaries of the storage in a folder of this machine. `realRoot` has no symbolic links. */
export function findBoundaries(realRoot: string, mounts: readonly Mounted[], includesMounted: boolean): Boundaries {
  const visible = visibleMounts(mounts)
  const own = mountOf(realRoot, visible)
  if (!own) return { notEntered: new Map(), included: [], types: new Map(), typesByPath: new Map() }
  const found: Boundaries = {
    notEntered: new Map(),
    included: [{ path: '', fileSystem: fileSystemId(own), root: placeIn(own, realRoot) }],
    types: new Map([[own.device, own.type]]),
    typesByPath: new Map([['', own.type]]),
  }
  const below = visible
    .filter(({ point }) => point !== realRoot && isWithin(point, realRoot))
    .sort((a, b) => a.point.length - b.point.length)
  for (const mount of below) {
    const path = mount.point.slice(realRoot === '/' ? 0 : realRoot.length)
    if ([...found.notEntered.keys()].some((outside) => isWithin(path, outside))) continue
    const reason = reasonNotToEnter(mount, { own, found, includesMounted })
    if (reason !== undefined) {
      found.notEntered.set(path, reason)
      continue
    }
    found.included.push({ path, fileSystem: fileSystemId(mount), root: mount.root })
    found.types.set(mount.device, mount.type)
    found.typesByPath.set(path, mount.type)
  }
  return found
}

/** The path of a folder in the file system that is mounted. */
function placeIn({ root, point }: Mounted, folder: string): string {
  const rest = folder.slice(point === '/' ? 0 : point.length)
  return (root === '/' ? rest : root + rest) || '/'
}

type Context = { own: Mounted; found: Boundaries; includesMounted: boolean }

function reasonNotToEnter(mount: Mounted, { own, found, includesMounted }: Context): string | undefined {
  if (isKernelType(mount.type)) return notEnteredText('kernel', mount.type)
  const id = fileSystemId(mount)
  const same = found.included.find(
    ({ fileSystem, root }) => fileSystem === id && (isWithin(mount.root, root) || isWithin(root, mount.root)),
  )
  if (same) {
    const rest = isWithin(mount.root, same.root) ? mount.root.slice(same.root === '/' ? 0 : same.root.length) : ''
    return notEnteredText('sameFolder', same.path + (rest === '/' ? '' : rest) || '/')
  }
  const isEntered = (includesMounted && !isSnapshot(mount)) || isSamePool(mount, own)
  return isEntered ? undefined : notEnteredText('fileSystem', mount.type)
}

/** ZFS mounts a snapshot at its first use. Its files are an earlier state of its dataset. */
const isSnapshot = ({ type, source }: Mounted): boolean => type === 'zfs' && source.includes('@')

/** True for another part of the same file system, a subvolume of the same btrfs, or a dataset of the same ZFS pool. */
export function isSamePool(mount: Mounted, other: Mounted): boolean {
  if (mount.type !== other.type || isSnapshot(mount)) return false
  if (mount.type === 'zfs') return poolOf(mount) === poolOf(other)
  return mount.device === other.device || (mount.type === 'btrfs' && mount.source === other.source)
}

export const poolOf = ({ source }: Mounted): string => source.split('/')[0] ?? ''

/** A folder without symbolic links, and the mounts of the machine; none if they are unknown. */
export async function lookAt(root: string) {
  const [realPath, mounts] = await Promise.all([realpath(root), readMounts().catch(() => [])])
  return { realPath, mounts }
}

/** Boundaries below a folder, and mounts that it is in and that a storage of a folder above would not enter. */
export async function mountsAround(root: string) {
  const { realPath, mounts } = await lookAt(root)
  const visible = visibleMounts(mounts)
  const isBoundary = (mount: Mounted) => {
    const above = mount.point === '/' ? undefined : mountOf(dirname(mount.point), visible)
    return above !== undefined && (isKernelType(mount.type) || !isSamePool(mount, above))
  }
  const notEntered = [...findBoundaries(realPath, mounts, false).notEntered].flatMap(([path, text]) => {
    const reason = readNotEntered(text)
    return reason ? [{ path, ...reason } satisfies NotEntered & { path: string }] : []
  })
  return {
    realPath,
    notEntered: notEntered.slice(0, namedNotEntered),
    mountsAbove: visible
      .filter((mount) => isWithin(realPath, mount.point) && isBoundary(mount))
      .map(({ point }) => point),
  }
}

/** Places in file systems that a storage includes; none if mounts are unknown. */
export async function includedPlaces(root: string, includesMounted: boolean): Promise<IncludedPlace[]> {
  const { realPath, mounts } = await lookAt(root)
  return findBoundaries(realPath, mounts, includesMounted).included
}

/** Folders of this machine with the file systems that a storage includes, and their types; none if they are unknown. */
export async function includedTypes(
  root: string,
  includesMounted: boolean,
): Promise<{ folder: string; type: string }[]> {
  const { realPath, mounts } = await lookAt(root)
  const { typesByPath } = findBoundaries(realPath, mounts, includesMounted)
  return [...typesByPath].map(([path, type]) => ({ folder: realPath + path, type }))
}

/** True if all file systems that a storage includes may answer as late as a network does; false if they are unknown. */
export async function isAllRemote(root: string, includesMounted: boolean): Promise<boolean> {
  const included = await includedTypes(root, includesMounted)
  return included.length > 0 && included.every(({ type }) => isRemote(type))
}

/** True if files of a storage may share their space on disk with others; false if unknown. */
export async function mayShareSpace(root: string, includesMounted: boolean): Promise<boolean> {
  for (const { folder, type } of await includedTypes(root, includesMounted))
    if (await sharesExtents(folder, type).catch(() => false)) return true
  return false
}

/** The reason why a folder can't be a storage: it is in a file system of the kernel. */
export async function whyNotStored(root: string): Promise<string | undefined> {
  const { realPath, mounts } = await lookAt(root)
  const type = mountOf(realPath, visibleMounts(mounts))?.type
  if (type === undefined || !isKernelType(type)) return undefined
  return `${root} is in a file system of the kernel (${type}), which has no stored files. Select another folder.`
}

/** The path itself if it can't be read: the scan then fails with the reason. */
function realPathOf(root: string): string {
  try {
    return realpathSync(root)
  } catch {
    return root
  }
}

/** The reason in words why a folder is not in a storage that doesn't include other file systems; undefined if it is. */
export async function whyNotIncluded(root: string, path: string): Promise<string | undefined> {
  const { realPath, mounts } = await lookAt(root)
  for (const [boundary, text] of findBoundaries(realPath, mounts, false).notEntered) {
    const reason = isWithin(path, boundary) ? readNotEntered(text) : null
    if (reason) return notEnteredWords(reason)
  }
  return undefined
}

/** Decides for each folder of a walk. */
export function openBoundaries(root: string, includesMounted: boolean) {
  const realRoot = realPathOf(root)
  const look = () => findBoundaries(realRoot, readMountsSync(), includesMounted)
  let known = look()
  const entered = new Set<bigint>()
  const outside = (path: string): string | undefined => {
    for (const [boundary, reason] of known.notEntered) if (isWithin(path, boundary)) return reason
    return undefined
  }
  return {
    /** Types of the file systems that are entered, by device. */
    types: () => known.types,
    /** Places in file systems that are entered, by their paths. */
    included: () => known.included,
    /** True for a folder that isn't entered, and for all below it. */
    isOutside: (path: string) => outside(path) !== undefined,
    /** True if the file system of a folder may answer as late as a network does. */
    isRemoteAt(path: string): boolean {
      let type = ''
      for (const [place, ofPlace] of known.typesByPath) if (place === '' || isWithin(path, place)) type = ofPlace
      return isRemote(type)
    },
    /** The reason not to enter a folder, as `not_entered` has it. Devices are undefined if they can't be looked up. */
    reasonNotToEnter(path: string, device: bigint | undefined, ofRoot: bigint | undefined): string | undefined {
      const reason = known.notEntered.size > 0 ? known.notEntered.get(path) : undefined
      if (reason !== undefined || device === undefined || device === ofRoot || entered.has(device)) return reason
      // Mounted since the last look, or a subvolume: those have a device of their own and no mount.
      known = look()
      if (known.included.length === 0) return includesMounted ? undefined : notEnteredText('fileSystem')
      const now = outside(path)
      if (now === undefined) entered.add(device)
      return now
    },
  }
}
export type WalkBoundaries = ReturnType<typeof openBoundaries>
