import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { ShareMount } from '#events/sources/networkShares.ts'
import { testFolder } from '#server/platform/testing/stores.ts'

export const secret = 'planted PASSWORD,5521'

/** A share with a sign-in, on a server that receives no requests. */
export const shareOf = (changes: Partial<ShareMount> = {}): ShareMount => ({
  type: 'SMB',
  host: 'nas.example.com',
  shareName: 'media',
  options: '',
  credential: { username: 'svc_scan', password: secret, domain: 'STUDIO' },
  ...changes,
})

/** Puts programs of the test's own first in PATH; the script of each is that of a shell. Returns their folder. */
export function usePrograms(programs: Record<string, string>): string {
  const folder = testFolder('programs')
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
  return folder
}

/** A call of `mount`: its arguments, its environment, and the credentials file with the modes of it and its folder. */
export type MountCall = { words: string[]; environment: string; credentials: string; modes: string; file: string }

/** A `mount` that records its calls, then runs the script. */
export function useNotingMount(script: string): () => MountCall {
  const notes = testFolder('notes')
  const read = (name: string) => (existsSync(join(notes, name)) ? readFileSync(join(notes, name), 'utf8') : '')
  usePrograms({
    mount: `
      printf '%s\\n' "$@" > '${notes}/words'
      tr '\\0' '\\n' < /proc/$$/environ > '${notes}/environment'
      file=$(printf '%s' "$*" | sed -n 's/.*credentials=\\([^,]*\\).*/\\1/p')
      printf '%s' "$file" > '${notes}/file'
      [ -n "$file" ] && cat "$file" > '${notes}/credentials'
      [ -n "$file" ] && stat -c %a "$file" "$(dirname "$file")" > '${notes}/modes'
      ${script}`,
  })
  return () => ({
    words: read('words').split('\n').slice(0, -1),
    environment: read('environment'),
    credentials: read('credentials'),
    modes: read('modes').trim().replace('\n', ' '),
    file: read('file'),
  })
}

const real = ['/usr/bin/mount', '/bin/mount'].find((file) => existsSync(file))

/** A `mount` that shows a copy of a folder, on a file system of its own; returns the mount point of each call. */
export function useMountOf(folder: string, before = ''): () => string[] {
  const notes = join(testFolder('notes'), 'asked')
  usePrograms({
    mount: `echo "$4" >> '${notes}'; ${before}\n${real} -t tmpfs share "$4" && cp -a '${folder}/.' "$4"`,
  })
  return () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : [])
}

/** Why nothing can be mounted here, or nothing. */
export function whyNoMounts(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux mounts'
  if (process.getuid?.() !== 0) return 'only root mounts'
  const folder = testFolder('tried')
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tried', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'this machine lets nothing be mounted'
  }
}
