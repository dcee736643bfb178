import { execFileSync } from 'node:child_process'
import { createReadStream, lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { bytesOfName } from '#events/contract/fileNames.ts'
import type { ImportFormat } from '#events/imports/formats.ts'
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
  /** The tool replaces bytes that aren't UTF-8. */
  losesBytes?: true
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
    losesBytes: true,
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
    format: 'restic',
    program: 'restic',
    command: `export RESTIC_PASSWORD=x; restic init -qr r; restic backup -qr r "$PWD/tree"; restic ls -r r --json latest`,
    fields: ['modified', 'mode'],
    losesBytes: true,
  },
  {
    format: 'borg',
    program: 'borg',
    command: 'export BORG_BASE_DIR=$PWD/b; borg init -e none r2; borg create r2::a tree; borg list --json-lines r2::a',
    fields: ['modified', 'mode'],
    losesBytes: true,
  },
]

beforeAll(() => {
  shell(String.raw`mkdir -p tree/a/b tree/c tree/empty; head -c 100000 /dev/urandom > tree/a/big; ln tree/a/big tree/a/b/hard
    ln -s ../big tree/a/link; mkfifo tree/c/pipe; truncate -s 5M tree/c/sparse; printf x > 'tree/c/two words'
    printf x > "$(printf 'tree/c/new\nline')"; printf x > "$(printf 'tree/c/stray\377')"; touch -d 2020-02-29T12:00:00Z tree/a/big; chmod 4751 tree/c/sparse`)
})

const isMissing = (program: string): boolean => {
  try {
    shell(`command -v ${program}`)
    return false
  } catch {
    return true
  }
}

describe.each(tools)('$command', ({ format, program, command, options = {}, fields, losesBytes }) => {
  test.skipIf(isMissing(program))(
    `${program} lists the files of the disk${isMissing(program) ? ': not installed' : ''}`,
    async () => {
      shell(`(${command}) > export`)
      const parsed = formatReaders[format].parse(createReadStream(join(scratch, 'export')), options)
      const entries = new Map<string, ImportedEntry>()
      for await (const batch of parsed.entries) for (const entry of batch) entries.set(entry.path, entry)
      expect(parsed.unreadable.count).toBe(0)
      const start = parsed.prefix === '' ? '' : `${parsed.prefix}/`
      const found = [...entries.keys()].filter((path) => path !== parsed.prefix).map((path) => path.slice(start.length))
      const disk = (await readdir(tree, { recursive: true, encoding: 'latin1' })).map((path) =>
        Buffer.from(path, 'latin1'),
      )
      const ownNames = (paths: string[]) => paths.filter((path) => !losesBytes || !path.includes('stray')).toSorted()
      const written = found.map((path) => bytesOfName(path).toString('latin1'))
      expect(ownNames(written)).toEqual(ownNames(disk.map((path) => path.toString('latin1'))))
      for (const path of ['a/big', 'c/sparse', 'c/two words', 'c/new\nline']) {
        const { size, blocks, mtimeMs, mode } = lstatSync(join(tree, path))
        const real = { size, allocatedSize: blocks * 512, modified: Math.floor(mtimeMs / 1000), mode }
        expect(entries.get(start + path)).toMatchObject(Object.fromEntries(fields.map((field) => [field, real[field]])))
      }
    },
  )
})
