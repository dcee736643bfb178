/**
 * Folders in which file systems and file servers show earlier states of the files around them, by name: NetApp, Isilon, VAST and Qumulo
 * (`.snapshot`), NetApp over SMB and Azure Files (`~snapshot`), Synology (`#snapshot`), ZFS (`.zfs/snapshot`), Snapper, GPFS and Weka
 * (`.snapshots`), Ceph (`.snap`), Celerra and Unity (`.ckpt`), QNAP (`@Recently-Snapshot`).
 */
const names = ['.snapshot', '~snapshot', '#snapshot', '.snapshots', '.snap', '.ckpt', '@Recently-Snapshot'] as const
const ofZfs = '.zfs'
/** Samba shows each snapshot as a folder `@GMT-2026.11.27-03.00.00`. */
const prefixOfShadowCopies = '@GMT-'

/** Parts of a path such as '/a/b/': it has one if it is a snapshot folder or below one. */
export const snapshotMarks: readonly string[] = [
  ...names.map((name) => `/${name}/`),
  `/${ofZfs}/snapshot/`,
  `/${prefixOfShadowCopies}`,
]

/** Returns whether a path such as '/a/b' is, or is below, a snapshot folder: its files are earlier states of others. */
export const isOfSnapshot = (path: string): boolean => snapshotMarks.some((mark) => `${path}/`.includes(mark))

/** Names that a folder is searched for; ZFS and QNAP don't list theirs. */
export const snapshotFolderNames: readonly string[] = [...names, ofZfs]

/** The ignored path that leaves out all snapshot folders of this name in a storage; undefined for other names. */
export function ruleForSnapshots(name: string): string | undefined {
  if (name.startsWith(prefixOfShadowCopies)) return `**/${prefixOfShadowCopies}*`
  return snapshotFolderNames.includes(name) ? `**/${name}` : undefined
}
