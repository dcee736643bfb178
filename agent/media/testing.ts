import { spawnSync } from 'node:child_process'
import { type FileHandle, open } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { MediaFacts } from '#events/media/facts.ts'
import { NoFacts, startMediaReader } from './startMediaReader.ts'

export const samples = join(import.meta.dirname, 'samples')

/** True if tools are missing on this machine. */
export const lacks = (...tools: string[]): boolean =>
  tools.some((tool) => spawnSync(tool, ['-version']).error !== undefined)

/** A reader that ends with the test. */
export function testReader(...options: Parameters<typeof startMediaReader>) {
  const reader = startMediaReader(...options)
  onTestFinished(reader.stop)
  return reader
}

type ReadFile = { facts: MediaFacts | undefined; failure: string; bytes: number }

/** The facts that a reader finds in a file of this machine, why it finds none, and the bytes that it read. */
export async function readPath(reader: ReturnType<typeof startMediaReader>, path: string): Promise<ReadFile> {
  let bytes = 0
  let handle: FileHandle | undefined
  try {
    handle = await open(path)
    const { size } = await handle.stat()
    const read = async (start: number, length: number) => {
      const { bytesRead, buffer } = (await handle?.read(Buffer.alloc(length), 0, length, start)) ?? {}
      bytes += bytesRead ?? 0
      return buffer?.subarray(0, bytesRead) ?? new Uint8Array()
    }
    return { facts: await reader.read({ size, read }, extname(path).slice(1)), failure: '', bytes }
  } catch (error) {
    if (error instanceof NoFacts) return { facts: undefined, failure: error.message, bytes }
    throw error
  } finally {
    await handle?.close()
  }
}
