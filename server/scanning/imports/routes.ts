import { commitImport, deleteImport, getImport, listImports, startImport } from '#events/imports/imports.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { beginCommit, removeImport } from './commitImports.ts'
import { importRecord, listImports as readImports } from './importRecord.ts'
import { receiveImport } from './receiveImport.ts'

export const importRoutes = (platform: Platform) => [
  route(startImport, async ({ query }, by) => {
    if (!by.upload) throw new Error('The call has no body')
    return { id: await receiveImport(platform, query, by.upload, by) }
  }),
  route(listImports, ({ query }) => readImports(platform.db, query.storageId)),
  route(getImport, ({ params }) => importRecord(platform.db, params.id)),
  route(commitImport, async ({ params, query }, by) => {
    await beginCommit(platform, params.id, query.replace === 'true', by)
    return importRecord(platform.db, params.id)
  }),
  route(deleteImport, ({ params }, by) => removeImport(platform, params.id, by)),
]
