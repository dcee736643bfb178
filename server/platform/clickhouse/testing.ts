import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'

/** Memory limit of the engines under test, which tests must exceed. */
export const memory = 1024 ** 3

/** The embedded engine in this process, and the same engine behind HTTP in another process. */
export const backends: { name: string; address(folder: string): Promise<string> }[] = [
  { name: 'the embedded engine', address: async (folder) => `chdb:${folder}` },
  { name: 'a server', address: async (folder) => (await startBridge(folder)).url },
]

type Bridge = { url: string; port: number; kill(): Promise<void> }

export async function startBridge(
  folder: string,
  port = 0,
  { isCluster = false, memoryBytes = memory } = {},
): Promise<Bridge> {
  const program = join(import.meta.dirname, '../testing/httpBridge.ts')
  const child = fork(program, [folder, String(port), String(memoryBytes), ...(isCluster ? ['cluster'] : [])], {
    execArgv: [],
  })
  const [listensOn] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [number]
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  atEndOfFile(kill)
  return { url: `http://127.0.0.1:${listensOn}`, port: listensOn, kill }
}
