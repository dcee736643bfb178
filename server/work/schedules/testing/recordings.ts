/** Numbers of files of a flush in a folder, without its subfolders. */
export type Changes = Partial<Record<'created' | 'deleted' | 'moved' | 'renamed' | 'rewritten', number>>

/** Seconds from the start, a folder, the owner, and what changed. `{1-20}` stands for a folder of each of these numbers. */
type Flush = [seconds: number, folder: string, owner: string, changes: Changes]

/** Changes of a storage named Films. */
export type Recording = {
  name: string
  /** Files of folders in the last scan, half a day before. */
  known: Record<string, number>
  flushes: Flush[]
  /** Seconds at which the alert is due, and its text. */
  alert?: [number, string]
}

const daySeconds = 86_400

/** The same in several flushes. */
const repeated = (
  times: number,
  everySeconds: number,
  folder: (step: number) => string,
  owner: string,
  changes: Changes,
): Flush[] => Array.from({ length: times }, (_, step) => [everySeconds * step, folder(step), owner, changes])

/** Four folders after those of the step before. */
const nextFour = (path: string) => (step: number) => `${path}{${step * 4 + 1}-${step * 4 + 4}}`

const rotated = (seconds: number, oldest: string): Flush[] => [
  [seconds, '/backups/daily.0/host{1-20}', 'root', { created: 2_000 }],
  [seconds + 10, `/backups/${oldest}/host{1-20}`, 'root', { deleted: 900 }],
  [seconds + 20, `/backups/${oldest}/host{1-20}`, 'root', { deleted: 1_100 }],
]
const backups = { '/backups/2026-11-29/host{1-20}': 2_000 }

/** Everyday work, which causes no alert. */
export const harmless: Recording[] = [
  {
    name: 'a nightly rotation of backups, from the second night on',
    known: backups,
    flushes: [...rotated(-daySeconds - 900, '2026-11-28'), ...rotated(0, '2026-11-29')],
  },
  {
    name: 'an archive that is unpacked, and sets the dates of its files at the end',
    known: { '/incoming': 3 },
    flushes: [
      [0, '/incoming/set/{1-100}', 'ana', { created: 500 }],
      [10, '/incoming/set/{1-100}', 'ana', { rewritten: 500 }],
    ],
  },
  {
    name: 'npm ci',
    known: { '/src/web': 12, '/src/web/node_modules/lib{1-50}': 600 },
    flushes: [
      [0, '/src/web/node_modules/lib{1-50}', 'bob', { deleted: 600 }],
      [20, '/src/web/node_modules/lib{1-50}', 'bob', { created: 600 }],
    ],
  },
  {
    name: 'git checkout of another branch',
    known: { '/src/engine/.git': 9, '/src/engine/.git/objects/{10-50}': 40, '/src/engine/lib{1-60}': 50 },
    flushes: [
      [0, '/src/engine/.git', 'bob', { rewritten: 3 }],
      [0, '/src/engine/lib{1-60}', 'bob', { rewritten: 35, deleted: 15, created: 20 }],
    ],
  },
  {
    name: 'renders whose tiles are deleted after an hour',
    known: { '/renders/sh010': 20 },
    flushes: [
      [-3_600, '/renders/sh010/tiles{1-20}', 'farm', { created: 300 }],
      [0, '/renders/sh010', 'farm', { created: 1_200 }],
      [10, '/renders/sh010/tiles{1-20}', 'farm', { deleted: 300 }],
    ],
  },
  {
    name: 'logs that are written all the time, and rotated',
    known: { '/logs/host{1-4}': 200 },
    flushes: [
      ...repeated(4, 10, () => '/logs/host{1-4}', 'syslog', { rewritten: 100 }),
      [40, '/logs/host{1-4}', 'syslog', { moved: 150, renamed: 150, deleted: 50, created: 50 }],
    ],
  },
  {
    name: 'rsync of a project',
    known: { '/mirror/arrival/reel{1-40}': 1_000 },
    flushes: repeated(3, 10, () => '/mirror/arrival/reel{1-40}', 'backup', { rewritten: 30, created: 20, deleted: 10 }),
  },
  {
    name: 'photos that are edited in a batch, which rewrites the sidecar file of each',
    known: { '/photos/2026/day{1-10}': 600 },
    flushes: repeated(3, 10, () => '/photos/2026/day{1-10}', 'mia', { rewritten: 100 }),
  },
  {
    name: 'photos that are renamed in a batch, and keep their extension',
    known: { '/photos/2026/day{1-10}': 300 },
    flushes: [[0, '/photos/2026/day{1-10}', 'mia', { moved: 300 }]],
  },
  {
    // Neither deleted nor created: https://github.com/wazuh/wazuh/issues/4558
    name: 'a project folder with 100,000 files that is moved, and moved back',
    known: { '/projects/arrival/sh{1-50}': 2_000 },
    flushes: [
      [0, '/done/arrival/sh{1-50}', 'ana', { moved: 2_000 }],
      [60, '/projects/arrival/sh{1-50}', 'ana', { moved: 2_000 }],
    ],
  },
  {
    // Names alone say nothing: https://github.com/nextcloud/ransomware_protection/issues/113
    name: 'a first synchronization of files with any extension, each renamed once it is complete',
    known: { '/sync': 40 },
    flushes: [
      [0, '/sync/{1-20}', 'ana', { created: 1_500 }],
      [10, '/sync/{1-20}', 'ana', { moved: 1_500, renamed: 1_500 }],
    ],
  },
  {
    // A share alone says nothing: https://github.com/owncloud/client/pull/7215
    name: 'a small storage whose files are all deleted',
    known: { '/a': 1, '/b': 60 },
    flushes: [
      [0, '/a', 'ana', { moved: 1, renamed: 1 }],
      [10, '/b', 'ana', { deleted: 60 }],
    ],
  },
  {
    name: 'trash that is emptied',
    known: { '/.Trash-1000/files/{1-10}': 500 },
    flushes: [[0, '/.Trash-1000/files/{1-10}', 'ana', { deleted: 500 }]],
  },
]

/** Attacks and accidents, with the time of the flush that crosses the limit. */
export const harmful: Recording[] = [
  {
    name: 'the first night of a rotation of backups, which nothing is known about yet',
    known: backups,
    flushes: rotated(0, '2026-11-29'),
    alert: [10, '18,000 files were deleted in 1 second in Films › /backups/2026-11-29. Most of them belong to root'],
  },
  {
    name: 'an old project that someone deletes on purpose',
    known: { '/projects/arrival/sh{1-50}': 200, '/projects/other': 500 },
    flushes: repeated(5, 10, nextFour('/projects/arrival/sh'), 'ana', { deleted: 200 }),
    alert: [10, '1,600 files were deleted in 10 seconds in Films › /projects/arrival. Most of them belong to ana'],
  },
  {
    name: 'ransomware that rewrites files in place',
    known: { '/projects/arrival/sh{1-40}': 100, '/projects/other/sh{1-40}': 100 },
    flushes: repeated(4, 10, nextFour('/projects/arrival/sh'), 'ana', { rewritten: 100 }),
    alert: [20, '1,200 files were rewritten in 20 seconds in Films › /projects/arrival. Most of them belong to ana'],
  },
  {
    name: 'ransomware that writes new files and deletes the old ones',
    known: { '/offers/{1-40}': 80 },
    flushes: repeated(5, 10, nextFour('/offers/'), 'bob', { created: 80, deleted: 80 }),
    alert: [
      30,
      '1,280 files were deleted in 30 seconds in Films › /offers, and about as many others were created next to them. Most of them belong to bob',
    ],
  },
  {
    name: 'ransomware that rewrites files and then changes their extension, owned by several users',
    known: { '/home/ana': 700, '/home/bob': 600 },
    flushes: [
      [0, '/home/ana', 'ana', { rewritten: 700 }],
      [10, '/home/ana', 'ana', { moved: 700, renamed: 700 }],
      [10, '/home/bob', 'bob', { rewritten: 600 }],
      [20, '/home/bob', 'bob', { moved: 600, renamed: 600 }],
    ],
    alert: [10, '1,300 files were rewritten in 10 seconds in Films › /home. Most of them belong to ana'],
  },
  {
    // Missed when only uploads are watched: https://github.com/nextcloud/ransomware_protection/issues/25
    name: 'ransomware that only changes extensions',
    known: { '/scans/box{1-16}': 150 },
    flushes: repeated(4, 10, nextFour('/scans/box'), 'mia', { moved: 150, renamed: 150 }),
    alert: [
      10,
      '1,200 files were renamed to another extension in 10 seconds in Films › /scans. Most of them belong to mia',
    ],
  },
  {
    name: 'slow ransomware, 20 files a second, in many folders',
    known: { '/photos/day{1-60}': 50 },
    flushes: repeated(6, 10, nextFour('/photos/day'), 'mia', { rewritten: 50 }),
    alert: [40, '1,000 files were rewritten in 40 seconds in Films › /photos. Most of them belong to mia'],
  },
  {
    name: 'slow ransomware, 20 files a second, in one huge folder',
    known: { '/frames': 100_000 },
    flushes: repeated(5, 60, () => '/frames', 'mia', { rewritten: 1_200 }),
    alert: [240, '6,000 files were rewritten in 4 minutes in Films › /frames. Most of them belong to mia'],
  },
  {
    name: 'ransomware in a working copy, whose objects Git would never rewrite',
    known: { '/src/engine/.git': 9, '/src/engine/.git/objects/{10-50}': 40, '/src/engine/lib{1-60}': 50 },
    flushes: [
      [0, '/src/engine/.git', 'bob', { rewritten: 9 }],
      [0, '/src/engine/.git/objects/{10-20}', 'bob', { rewritten: 40 }],
      [10, '/src/engine/lib{1-30}', 'bob', { rewritten: 50 }],
    ],
    alert: [10, '1,500 files were rewritten in 1 second in Films › /src/engine. Most of them belong to bob'],
  },
  {
    name: 'ransomware while a server rewrites a few files of a huge folder',
    known: { '/mail': 90_000, '/offers/{1-20}': 60 },
    flushes: [
      [0, '/mail', 'postfix', { rewritten: 20, deleted: 10 }],
      [10, '/offers/{1-20}', 'bob', { rewritten: 60 }],
    ],
    alert: [10, '1,200 files were rewritten in 1 second in Films › /offers. Most of them belong to bob'],
  },
]
