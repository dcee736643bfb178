import { closeSync, openSync, realpathSync, statSync } from 'node:fs'
import { isWithin, mountOf, readMountsSync, visibleMounts } from '../systems/local/mounts.ts'
import { notifyCalls } from './watchers/calls.ts'

/** The place of a storage: the folder that its path leads to, and the mounts that it is on and that are below it. */
export type Place = {
  realRoot: string
  /** Names the folder. It stays the same after a restart of the machine, as far as the device does. */
  identity: string
  /** `replaced`: the path leads to another folder, or to none. `mounts`: something below was mounted or unmounted. */
  check(): 'same' | 'replaced' | 'mounts'
  close(): void
}

/** Throws the error of the system. */
export function openPlace(root: string): Place {
  const { realRoot, identity } = look(root)
  const fd = openSync('/proc/self/mountinfo', 'r')
  // The kernel reports each change of mounts once.
  const mountsChanged = () => notifyCalls?.hasNews(fd) ?? false
  mountsChanged()
  const mounts = mountsOf(realRoot)
  return {
    realRoot,
    identity,
    check() {
      if (identityOf(root) !== identity) return 'replaced'
      return mountsChanged() && mountsOf(realRoot) !== mounts ? 'mounts' : 'same'
    },
    close: () => closeSync(fd),
  }
}

function look(root: string) {
  const { dev, ino } = statSync(root, { bigint: true })
  return { realRoot: realpathSync(root), identity: `${dev} ${ino}` }
}

/** Undefined if no folder is there. */
export function identityOf(root: string): string | undefined {
  try {
    return look(root).identity
  } catch {
    return undefined
  }
}

function mountsOf(realRoot: string): string {
  const visible = visibleMounts(readMountsSync())
  const own = mountOf(realRoot, visible)?.id
  return JSON.stringify(visible.filter(({ id, point }) => id === own || isWithin(point, realRoot)))
}
