import { execFileSync } from 'node:child_process'
import { createReadStream, lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bytesOfName } from '#events/contract/fileNames.ts'
import type { ImportFormat } from '#events/imports/formats.ts'
import { cases } from '#server/platform/testing/cases.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import type { ImportedEntry, ParserOptions } from './format.ts'
import { defaultPrintf } from './find.ts'
import { formatReaders } from './index.ts'

const scratch = testFolder('exports')
const tree = join(scratch, 'tree')
const shell = (script: string): string =>
  execFileSync('bash', ['-c', script], { cwd: scratch, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

type Tool = {
  format: ImportFormat
  program: string
  command: string
  options?: ParserOptions
  /** Fields that equal those of the disk, for files. */
  fields: ('size' | 'allocatedSize' | 'modified' | 'mode')[]
  /** The part of a name that the tool leaves out: pipes, or bytes that aren't UTF-8, which it replaces. */
  lacks?: 'pipe' | 'stray'
  /** Days with an export; 12 unless the tool takes seconds for each. */
  days?: number
}
const tools: Tool[] = [
  {
    format: 'ncdu',
    program: 'ncdu',
    command: 'ncdu -0xeo- tree',
    fields: ['size', 'allocatedSize', 'modified', 'mode'],
  },
  {
    format: 'gdu',
    program: 'gdu',
    command: 'gdu -no- tree',
    fields: ['size', 'allocatedSize', 'modified'],
    lacks: 'stray',
  },
  { format: 'du', program: 'du', command: 'du -a0l tree', fields: ['allocatedSize'] },
  { format: 'du', program: 'du', command: 'du -ab0l tree', options: { unit: 1 }, fields: ['size'] },
  {
    format: 'find',
    program: 'find',
    command: `find "$PWD/tree" -printf '${defaultPrintf}'`,
    fields: ['size', 'allocatedSize', 'modified', 'mode'],
  },
  {
    format: 'gufi',
    program: 'gufi_dir2trace',
    command: 'rm -f t.*; gufi_dir2trace -n 2 tree t >&2; cat t.*',
    fields: ['size', 'allocatedSize', 'modified', 'mode'],
    lacks: 'pipe',
  },
  {
    format: 'restic',
    program: 'restic',
    command: `export RESTIC_PASSWORD=x; [ -e r ] || restic init -qr r; restic backup -qr r "$PWD/tree"; restic ls -r r --json latest`,
    fields: ['size', 'modified', 'mode'],
    lacks: 'stray',
    days: cases(2, 12),
  },
  {
    format: 'borg',
    program: 'borg',
    command:
      'export BORG_BASE_DIR=$PWD/b; [ -e r2 ] || borg init -e none r2; borg delete r2::a; borg create r2::a tree; borg list --json-lines r2::a',
    fields: ['size', 'modified', 'mode'],
    lacks: 'stray',
    days: cases(2, 12),
  },
]

/** Changes the tree on a day: all is new on the first, and then files are made, grown, moved, replaced, linked and deleted. */
const changes = (day: number): string =>
  day === 0
    ? String.raw`rm -rf tree r r2 b; mkdir -p tree/a/b tree/c tree/empty; head -c 100000 /dev/urandom > tree/a/big; ln tree/a/big tree/a/b/hard
        ln -s ../big tree/a/link; mkfifo tree/c/pipe; truncate -s 5M tree/c/sparse; printf x > 'tree/c/two words'; printf x > tree/a/moved0
        printf x > "$(printf 'tree/c/new\nline')"; printf x > "$(printf 'tree/c/stray\377')"; touch -d 2020-02-29T12:00:00Z tree/a/big; chmod 4751 tree/c/sparse`
    : `mkdir tree/day${day}; head -c ${day * 5000} /dev/urandom > tree/day${day}/new; head -c 3000 /dev/urandom >> tree/c/grows
        mv tree/a/moved${day - 1} tree/a/moved${day}; touch -d 2021-02-03T04:05:${10 + day}Z 'tree/c/two words'; chmod 6${day % 8}4 tree/c/grows
        rm -rf tree/day${day - 2}; ln -f tree/day${day}/new tree/a/b/newest; printf ${'y'.repeat(day)} > tree/a/x; mv tree/a/x tree/a/replaced`

const isMissing = (program: string): boolean => {
  try {
    shell(`command -v ${program}`)
    return false
  } catch {
    return true
  }
}

describe.each(tools)('$command', ({ format, program, command, options = {}, fields, lacks, days = 12 }) => {
  test.skipIf(isMissing(program))(
    `${program} lists the files of the disk on each of ${days} days${isMissing(program) ? ': not installed' : ''}`,
    async () => {
      for (let day = 0; day < days; day++) {
        shell(`set -e; ${changes(day)}; (${command}) > export`)
        const parsed = formatReaders[format].parse(createReadStream(join(scratch, 'export')), options)
        const entries = new Map<string, ImportedEntry>()
        for await (const batch of parsed.entries) for (const entry of batch) entries.set(entry.path, entry)
        expect(parsed.unreadable.count).toBe(0)
        const start = parsed.prefix === '' ? '' : `${parsed.prefix}/`
        const found = [...entries.keys()].filter((path) => path !== parsed.prefix)
        const disk = (await readdir(tree, { recursive: true, encoding: 'latin1' })).map((path) =>
          Buffer.from(path, 'latin1'),
        )
        const ownNames = (paths: string[]) =>
          paths.filter((path) => lacks === undefined || !path.includes(lacks)).toSorted()
        const written = found.map((path) => bytesOfName(path.slice(start.length)).toString('latin1'))
        expect(ownNames(written)).toEqual(ownNames(disk.map((path) => path.toString('latin1'))))
        for (const path of disk.map(String)) {
          const entry = entries.get(start + path)
          const stats = lstatSync(join(tree, path), { throwIfNoEntry: false })
          if (!entry || !stats?.isFile()) continue
          const { blocks, mtimeMs, mode } = stats
          // Borg doesn't say how large a hard link is.
          const size = format === 'borg' && stats.nlink > 1 ? entry.size : stats.size
          const real = { size, allocatedSize: blocks * 512, modified: Math.floor(mtimeMs / 1000), mode }
          const expected = Object.fromEntries(fields.map((field) => [field, real[field]]))
          expect({ day, ...entry }).toMatchObject({ day, ...expected })
        }
      }
    },
    60_000,
  )
})
