import { constants as codes } from 'node:os'
import { isRemote, isServed } from '../../systems/local/mounts.ts'
import type { WalkBoundaries } from '../../systems/local/boundaries.ts'
import { notifyCalls } from './calls.ts'
import { openFanotify } from './fanotify.ts'
import { maxWatches, openInotify } from './inotify.ts'
import { NotFollowed, type SeenChanges, type Watcher } from './watcher.ts'

type Options = {
  /** Folder of the storage without symbolic links. */
  realRoot: string
  boundaries: WalkBoundaries
  leavesOut: (path: string) => boolean
  seen: SeenChanges
  /** Only for tests: one of the ways, and a limit of inotify. */
  way?: WayToWatch | undefined
  max?: number | undefined
}
export type WayToWatch = 'fanotify' | 'inotify'

/** Watches a storage by fanotify if that is possible, else by inotify. Throws `NotFollowed`. */
export function openWatcher({ realRoot, boundaries, leavesOut, seen, way, max }: Options): Watcher {
  const calls = notifyCalls
  if (!calls)
    throw new NotFollowed(
      'Changes can only be followed by an agent on Linux with glibc. The storage is scanned as scheduled.',
    )
  const remote = [...boundaries.types().values()].find(isRemote)
  if (remote !== undefined) throw new NotFollowed(reasonOfRemote(remote))
  if (way !== 'inotify' && boundaries.included().length > 0)
    try {
      const places = boundaries
        .included()
        .map(({ path }) => ({ folder: (realRoot === '/' ? '' : realRoot) + path || '/', path }))
      return openFanotify(calls, { places, leavesOut, seen })
    } catch (error) {
      if (way) throw error
    }
  try {
    return openInotify(calls, { seen, ...(max !== undefined && { max }) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).errno !== -codes.errno.EMFILE) throw error
    throw new NotFollowed(
      'Other programs use all instances of inotify. Run "sysctl -w fs.inotify.max_user_instances=1024".',
    )
  }
}

const reasonOfRemote = (type: string): string =>
  isServed(type)
    ? `A file system of the type ${type} doesn't report all changes. The storage is scanned as scheduled.`
    : `${type} doesn't report changes by other machines. Run an agent on the file server, or rely on scheduled scans.`

/** The reason why a storage with this many folders can't be followed, with the commands that change it. */
export const reasonOfTooMany = (folders: number, max = maxWatches()): string => {
  const needed = 2 ** Math.ceil(Math.log2(folders * 2))
  return (
    `Of ${folders} folders, only ${max} can be followed. Run "sysctl -w fs.inotify.max_user_watches=${needed}", or give the agent rights ` +
    `for whole file systems: "setcap cap_sys_admin,cap_dac_read_search+ep ${process.execPath}"; in a container, ` +
    `"--cap-add SYS_ADMIN --cap-add DAC_READ_SEARCH".`
  )
}
