import type { Uploads } from '../uploads/uploads.ts'
import type { Assets } from './assets.ts'
import type { Base } from './base.ts'
import type { Collections } from './collections.ts'
import type { Jobs } from './jobs.ts'
import type { Storages } from './storages.ts'

/** Roles that calls of the simulator need. */
export const allRoles = [
  'can_read_assets',
  'can_read_collections',
  'can_read_files',
  'can_read_formats',
  'can_read_jobs',
  'can_read_storages',
  'can_create_assets',
  'can_write_formats',
  'can_write_files',
  'can_write_collections',
  'can_create_transcode_jobs',
  'can_delete_assets',
  'can_write_jobs',
  'can_scan_bucket',
] as const

export type Role = (typeof allRoles)[number]

/** Application token of one user. `expiresAt` in simulated milliseconds since 1970. */
export type Token = { appId: string; userId: string; roles: Set<Role>; isRevoked: boolean; expiresAt: number }

/** Contents of the simulator. */
export type Iconik = Base &
  Collections &
  Storages &
  Assets &
  Jobs & {
    tokens: Map<string, Token>
    uploads: Uploads
    scrolls: Map<string, { items: object[]; at: number }>
  }
