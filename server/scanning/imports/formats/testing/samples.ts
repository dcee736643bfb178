import { file, folder, local, type Sample } from './sample.ts'
import { tables } from './tables.ts'

/** Samples of each format. */
export const samples: Sample[] = [
  {
    // https://dev.yorhel.nl/ncdu/jsonfmt
    name: 'ncdu',
    format: 'ncdu',
    document: `[1,2,{"progname":"ncdu","progver":"1.18","timestamp":1354477149},
      [{"name":"/media/harddrive","dsize":4096,"asize":422,"dev":39123423,"ino":29342345},
      {"name":"SomeFile","dsize":32768,"asize":32414,"ino":91245479284,"hlnkc":true,"nlink":2,"mtime":1700000000,"uid":0,"gid":5,"mode":33188},
      [{"name":"EmptyDir","dsize":4096,"asize":10,"ino":3924,"read_error":true}],
      {"name":"proc","excluded":"kernfs"}]]`,
    prefix: 'media/harddrive',
    expected: [
      folder('media/harddrive', { size: 422, allocatedSize: 4_096, device: 39_123_423, inode: 29_342_345 }),
      file('media/harddrive/SomeFile', {
        size: 32_414,
        allocatedSize: 32_768,
        modified: 1_700_000_000,
        owner: '0',
        group: '5',
        mode: 33_188,
        device: 39_123_423,
        inode: 91_245_479_284,
        linkCount: 2,
      }),
      folder('media/harddrive/EmptyDir', {
        size: 10,
        allocatedSize: 4_096,
        device: 39_123_423,
        inode: 3_924,
        isUnreadable: true,
      }),
      folder('media/harddrive/proc', { device: 39_123_423, isExcluded: true }),
    ],
  },
  {
    name: 'gdu',
    format: 'gdu',
    document: `[1,2,{"progname":"gdu","progver":"5.22.0","timestamp":1796074414},
[{"name":"/d","mtime":1796074414},
{"name":"big","asize":100000,"dsize":102400,"mtime":1796074413}]]
`,
    prefix: 'd',
    expected: [
      folder('d', { modified: 1_796_074_414 }),
      file('d/big', { size: 100_000, allocatedSize: 102_400, modified: 1_796_074_413 }),
    ],
  },
  {
    name: 'du -a',
    format: 'du',
    document: '100\t/d/c/big\n4.5K\t/d/c/h\n108\t/d/c\n112\t/d\n',
    prefix: 'd',
    expected: [
      file('d/c/big', { allocatedSize: 102_400 }),
      file('d/c/h', { allocatedSize: 4_608 }),
      folder('d/c'),
      folder('d'),
    ],
  },
  {
    name: 'du -ab --time',
    format: 'du',
    document: '123\t2025-06-01 10:20\t./c/big\n4219\t2025-06-01 10:21\t./c\n8315\t2025-06-01 10:21\t.\n',
    options: { unit: 1 },
    expected: [
      file('c/big', { size: 123, modified: local('2025-06-01T10:20:00') }),
      folder('c', { modified: local('2025-06-01T10:21:00') }),
      folder('', { modified: local('2025-06-01T10:21:00') }),
    ],
  },
  {
    name: 'find -printf with its own format',
    format: 'find',
    document: 'drwxr-xr-x 2 4 2025-06-01+10:20:30.1234567890 . -> \nlrwxrwxrwx 1 0 2025-06-01+10:20:30 ./a b -> ../x\n',
    options: { printf: String.raw`%M %n %k %T+ %p -> %l\n` },
    expected: [
      folder('', { allocatedSize: 4_096, modified: local('2025-06-01T10:20:30'), mode: 0o40755, linkCount: 2 }),
      file('a b', {
        allocatedSize: 0,
        modified: local('2025-06-01T10:20:30'),
        mode: 0o120777,
        linkCount: 1,
        linkTarget: '../x',
      }),
    ],
  },
  {
    // https://github.com/mar-file-system/GUFI/blob/main/src/trace.c
    name: 'GUFI',
    format: 'gufi',
    document: [
      '0001d|d|9|16877|2|0|0|4096|4096|8|1700000001|1700000002|1700000003|0000||0|0|0|0|0|0000|0000|1|',
      '0005d/a\nb|l|10|41471|1|5|6|3|4096|0|1700000001|1700000002|1700000003|0004../x||1600000000|0|0|0|0|0000|0000|9|',
    ]
      .map((line) => `${line.replaceAll('|', '\x1e')}\n`)
      .join(''),
    prefix: 'd',
    expected: [
      folder('d', {
        size: 4_096,
        allocatedSize: 4_096,
        modified: 1_700_000_002,
        accessed: 1_700_000_001,
        owner: '0',
        group: '0',
        mode: 0o40755,
        inode: 9,
        linkCount: 2,
      }),
      file('d/a\nb', {
        size: 3,
        allocatedSize: 0,
        created: 1_600_000_000,
        modified: 1_700_000_002,
        accessed: 1_700_000_001,
        owner: '5',
        group: '6',
        mode: 0o120777,
        inode: 10,
        linkCount: 1,
        linkTarget: '../x',
      }),
    ],
  },
  {
    // https://restic.readthedocs.io/en/stable/075_scripting.html#ls
    name: 'restic',
    format: 'restic',
    document: `{"time":"2025-06-01T10:00:00Z","paths":["/mnt/films"],"struct_type":"snapshot"}
{"name":"mnt","type":"dir","path":"/mnt","uid":0,"gid":0,"mode":2147484141,"mtime":"2025-06-01T10:00:00Z","struct_type":"node"}
{"name":"films","type":"dir","path":"/mnt/films","uid":0,"gid":0,"mode":2147484141,"mtime":"2025-06-01T10:00:00Z","struct_type":"node"}
{"name":"a","type":"file","path":"/mnt/films/a","uid":5,"gid":6,"size":3,"mode":420,"mtime":"2025-06-01T12:00:00.5+02:00","inode":18446744073709551615,"struct_type":"node"}
`,
    expected: [
      folder('', { modified: Date.parse('2025-06-01T10:00:00Z') / 1000, owner: '0', group: '0', mode: 0o40755 }),
      file('a', {
        size: 3,
        modified: Date.parse('2025-06-01T10:00:00Z') / 1000,
        owner: '5',
        group: '6',
        mode: 0o100644,
        inode: 18_446_744_073_709_551_615n,
      }),
    ],
  },
  {
    // https://borgbackup.readthedocs.io/en/stable/internals/frontends.html
    name: 'borg',
    format: 'borg',
    document: `{"type": "d", "mode": "drwxr-xr-x", "user": "ana", "group": "film", "uid": 5, "gid": 6, "path": "mnt/films", "healthy": true, "source": "", "linktarget": "", "flags": 0, "mtime": "2025-06-01T10:00:00.000000", "size": 0}
{"type": "-", "mode": "hrw-r--r--", "user": "ana", "group": "film", "uid": 5, "gid": 6, "path": "mnt/films/x", "source": "mnt/films/a", "linktarget": "mnt/films/a", "mtime": "2025-06-01T10:00:00.000000", "size": 0}
`,
    prefix: 'mnt/films',
    expected: [
      folder('mnt/films', { modified: local('2025-06-01T10:00:00'), owner: 'ana', group: 'film', mode: 0o40755 }),
      file('mnt/films/x', { modified: local('2025-06-01T10:00:00'), owner: 'ana', group: 'film', mode: 0o100644 }),
    ],
  },
  ...tables,
]
