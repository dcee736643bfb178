import type { PlannedFile } from '#events/actions/files.ts'
import { isText } from '#events/contract/fileNames.ts'
import type { Client } from './client.ts'
import { lookUp } from './fileInfo.ts'
import { type Order, type Situation, targetPathOf } from './verbs.ts'

const nothing = { file: undefined, text: '' }

/** Looks up files on the server, and their new paths if they are relocated. */
export async function lookAt(
  client: Client,
  order: Order,
  files: PlannedFile[],
  signal: AbortSignal,
): Promise<Situation[]> {
  const planned = files.map((file) => ({ order, file, targetPath: targetPathOf(order, file) }))
  const paths = planned.flatMap(({ file, targetPath }) => [file.place, targetPath ?? []].flat())
  const looks = await lookUp(client, [...new Set(paths)].filter(isText), signal)
  return planned.map((each) => ({
    ...each,
    source: looks.get(each.file.place) ?? nothing,
    target: each.targetPath === undefined ? undefined : (looks.get(each.targetPath) ?? nothing),
  }))
}
