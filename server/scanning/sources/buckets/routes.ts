import { bucketCheck, bucketCredentialCheck } from '#events/sources/bucketQuestion.ts'
import { bucketCredentials, bucketNames, buckets } from '#events/sources/buckets.ts'
import { dropboxCredentials, dropboxLink } from '#events/sources/dropbox.ts'
import { crudRoutes } from '#server/platform/crud/crudRoutes.ts'
import { route } from '#server/platform/http/route.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sourceTopics } from '../sourceTable.ts'
import { checkBucket, checkListed, listBucketNames } from './askProvider.ts'
import { bucket } from './bucket.ts'
import { checkCredentials } from './checkCredentials.ts'
import { bucketCredentialTable, createDropbox, updateDropbox } from './credentials.ts'
import { codeAddress } from './dropbox.ts'
import { listBuckets, volumeOf } from './listBuckets.ts'

export const bucketRoutes = (platform: Platform) => [
  ...crudRoutes(platform, bucketCredentials, bucketCredentialTable(platform)),
  route(dropboxLink, async (_, by) => ({ url: await codeAddress(platform.config, by.id) })),
  route(dropboxCredentials.create, async ({ body }, by) => ({ id: await createDropbox(platform, by, body) })),
  route(dropboxCredentials.update, ({ params: { id }, body }, by) => updateDropbox(platform, by, id, body)),
  route(bucketNames, ({ query }) => listBucketNames(platform, query)),
  route(bucketCredentialCheck, ({ body }) => checkCredentials(platform, body)),
  route(bucketCheck, ({ body }) => checkBucket(platform, body)),
  route(buckets.list, ({ query }) => listBuckets(platform.db, query)),
  route(buckets.create, async ({ body }, by) => {
    const id = await change(platform, by, sourceTopics, (change) => bucket.create(change, body))
    await checkListed(platform, await volumeOf(platform.db, id), 'created')
    return { id }
  }),
  route(buckets.update, async ({ params: { id }, body }, by) => {
    await change(platform, by, sourceTopics, (change) => bucket.update(change, id, body))
    await checkListed(platform, await volumeOf(platform.db, id), 'updated')
  }),
  route(buckets.remove, ({ params: { id } }, by) =>
    change(platform, by, sourceTopics, (change) => bucket.remove(change, id)),
  ),
]
