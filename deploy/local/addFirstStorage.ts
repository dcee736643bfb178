import { basename } from 'node:path'
import { system } from '#server/platform/eventLog.ts'
import type { Db } from '#server/platform/postgres.ts'
import { queueScans } from '#server/scans/index.ts'
import { createVolume } from '#server/volumes/index.ts'

/** Adds the folder as a file storage and scans it, unless it is one already. */
export async function addFirstStorage(db: Db, folder: string, say: (words: string) => void): Promise<void> {
  const known = await db
    .selectFrom('volumes')
    .select('name')
    .where('path', '=', folder)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (known) return say(`${folder} is the file storage ${known.name} already`)
  const id = await createVolume(db, { name: await freeName(db, basename(folder) || 'root'), path: folder })
  await queueScans(db, { volumeIds: [id], cloneIndex: true, by: system })
  say(`Scanning ${folder}`)
}

async function freeName(db: Db, wanted: string): Promise<string> {
  const rows = await db.selectFrom('volumes').select('name').where('deletedAt', 'is', null).execute()
  const taken = new Set(rows.map(({ name }) => name.toLowerCase()))
  let name = wanted
  for (let i = 2; taken.has(name.toLowerCase()); i++) name = `${wanted} ${i}`
  return name
}
