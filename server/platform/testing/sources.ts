import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'

const folders = ['events', 'server', 'agent', 'client', 'deploy']

/** A copy of the sources that can be compiled, removed at the end of the test. Returns its folder. */
export async function copySources(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'recipe-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  const isSource = (path: string) => !path.startsWith('client/dist/') && !path.endsWith('.test.ts')
  for (const folder of folders) await cp(folder, join(copy, folder), { recursive: true, filter: isSource })
  for (const file of ['package.json', 'tsconfig.json']) await cp(file, join(copy, file))
  await symlink(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Replaces a text that a file must have. */
export const replaceIn = async (file: string, text: string, by: string): Promise<void> => {
  const before = await readFile(file, 'utf8')
  expect(before).toContain(text)
  await writeFile(file, before.replace(text, by))
}

/** The files that do not compile, sorted. */
export function filesWithErrors(folder: string): Promise<string[]> {
  const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc')
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, '--noEmit', '--incremental', 'false'], { cwd: folder }, (_, output) =>
      resolve([...new Set([...output.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file = '']) => file))].sort()),
    )
  })
}
