import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { findNatsServer } from './findNatsServer.ts'

let folder: string
const path = process.env['PATH']
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dataintell-nats-'))
  mkdirSync(join(folder, 'tools'))
})
afterEach(() => {
  process.env['PATH'] = path
  rmSync(folder, { recursive: true })
})

/** A program that reports the version of a nats-server. */
function program(place: string, version: string): string {
  const file = join(folder, place)
  writeFileSync(file, `#!/bin/sh\necho nats-server: v${version}\n`)
  chmodSync(file, 0o755)
  return file
}
const find = () => findNatsServer(join(folder, 'tools'), () => {})
/** Leaves only this folder on the PATH, so that neither Debian nor Homebrew can provide a program. */
function alone(): void {
  for (const name of ['sh', 'flock', 'perl']) {
    const [program] = (path ?? '')
      .split(delimiter)
      .map((place) => join(place, name))
      .filter(existsSync)
    if (program) symlinkSync(program, join(folder, name))
  }
  process.env['PATH'] = folder
}

test('the program that was brought before is taken, when it is new enough', () => {
  for (const version of ['2.9.10', '2.9.11', '2.10.0', '3.0.0']) {
    const brought = program('tools/nats-server', version)
    expect(findNatsServer(join(folder, 'tools'), () => expect.unreachable())).toBe(brought)
  }
})

test('one of the PATH that is too old is refused with its version and what to do, where no newer one can be brought', () => {
  program('nats-server', '2.9.9')
  alone()
  expect(find).toThrow(/is version 2\.9\.9, older than 2\.9\.10: update it/)
  expect(find).toThrow(/nats-server 2\.9\.10 or newer is needed and was not found.*Install it, or set NATS_URL/)
})

test('no other user can write where a program is unpacked, also if the umask allows it', () => {
  alone()
  const fake = (name: string, lines: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  const note = `/bin/ls -ld . .. >> "${join(folder, 'modes')}"`
  fake('apt-get', `${note}\n: > nats-server_1.deb`)
  fake(
    'dpkg-deb',
    `cd "$3"\n${note}\n/bin/mkdir -p usr/sbin\n/bin/cp "${program('other', '2.10.29')}" usr/sbin/nats-server`,
  )
  rmSync(join(folder, 'tools'), { recursive: true })
  const before = process.umask(0)
  onTestFinished(() => void process.umask(before))
  expect(find()).toBe(join(folder, 'tools/nats-server'))
  const modes = readFileSync(join(folder, 'modes'), 'utf8').trim().split('\n')
  expect(modes).toHaveLength(4)
  for (const mode of modes) expect(mode).toMatch(/^drwx(?:------|r-xr-x)/)
  expect(statSync(join(folder, 'tools/nats-server')).mode & 0o777).toBe(0o755)
})
