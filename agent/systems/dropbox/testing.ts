import { expect, onTestFinished } from 'vitest'
import { forTest } from '#agent/simulator/testing.ts'
import { ScanFailed } from '../system.ts'
import type { TransportOptions } from '../http/transport.ts'
import { type FolderOptions, openDropbox } from './index.ts'
import { type SimulatedFile, type SimulatorOptions, startDropbox } from './simulator/index.ts'

export const signIn = { appKey: 'plantedAppKey', refreshToken: 'planted-refresh-token' }

/** Files in folders of thirty, spelled in their own way. */
export const manyFiles = (count: number): SimulatedFile[] =>
  Array.from({ length: count }, (_, i) => ({
    path: `/Show ${i % 7}/Réel ${i % 5}/Ünder %2F & # ${Math.floor(i / 30)}/Shot ${i}.MOV`,
    size: (i * 7_919) % 1_000_003,
    modified: 1_600_000_000 + i,
    ...(i % 3 === 0 ? { owner: `dbid:${i % 4}` } : {}),
  }))

/** A Dropbox for one test. */
export const simulator = (options: Partial<SimulatorOptions> = {}) =>
  forTest(startDropbox({ ...signIn, files: manyFiles(100), ...options }))

/** A folder that is open until the test ends. */
export function openFolder(
  store: { url: string },
  changes: Partial<FolderOptions> = {},
  transport: TransportOptions = {},
) {
  const options = { url: store.url, path: '/', scannedPath: '', ...signIn, ...changes }
  const opened = openDropbox(options, { idleMs: 5_000, ...transport })
  onTestFinished(() => opened.close())
  return opened
}

/** Why something fails, which must name no token. */
export async function failure(asking: Promise<unknown>): Promise<string> {
  const error: unknown = await asking.catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ScanFailed)
  const shown = JSON.stringify([String(error), (error as Error).stack, { ...(error as Error) }])
  for (const secret of [signIn.refreshToken, 'sl.simulated']) expect(shown).not.toContain(secret)
  return (error as Error).message
}
