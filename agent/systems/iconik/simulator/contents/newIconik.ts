import { randomBytes } from 'node:crypto'
import { newUploads } from '../uploads/uploads.ts'
import type { Base } from './base.ts'
import type { Iconik } from './iconik.ts'

/** Empty contents. `folder` is for the bytes of unfinished uploads. */
export function newIconik(base: Omit<Base, 'newId'>, folder: () => string): Iconik {
  let count = 0
  return {
    ...base,
    tokens: new Map(),
    collections: new Map(),
    storages: new Map(),
    assets: new Map(),
    jobs: new Map(),
    uploads: newUploads(folder, randomBytes(16).toString('hex')),
    externalIds: new Map(),
    scrolls: new Map(),
    newId: () => `5f0c0000-0000-11ee-8000-${(++count).toString(16).padStart(12, '0')}`,
  }
}
