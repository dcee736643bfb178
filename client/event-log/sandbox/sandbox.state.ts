import { proxy, ref } from 'valtio'
import { readEventLines } from '#events/event-log/lines.ts'
import { type Source, sandboxOf } from '#client/event-log/source.ts'

type Sandbox = { file: { name: string; events: number; source: Source } | undefined }

/** Imported events that replace the server's log until the page is closed. */
export const sandbox = proxy<Sandbox>({ file: undefined })

/** Imports a file of events. Throws an error with the invalid line, and keeps the previous file. */
export async function openFile(file: File): Promise<void> {
  const events = read(file.name, await file.text())
  if (events.length === 0) throw new Error(`${file.name} contains no events`)
  sandbox.file = ref({ name: file.name, events: events.length, source: sandboxOf(file.name, events) })
}

function read(name: string, text: string) {
  try {
    return readEventLines(text)
  } catch (error) {
    throw new Error(`${name} cannot be opened. ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

export const closeFile = (): void => {
  sandbox.file = undefined
}
