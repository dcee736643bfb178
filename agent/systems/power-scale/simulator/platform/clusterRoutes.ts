import type { Cluster, Quota } from '../cluster.ts'
import { json, refused } from '../errors.ts'
import { pageOf } from '../pages.ts'
import type { Route } from './route.ts'

const blockSize = 8_192

/** Routes of the configuration, the license and the capacity. */
export const clusterRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: 'cluster/config',
    answer: ({ cluster: { switches }, request }) =>
      json(200, {
        description: '',
        guid: '0050569a1b2c3d4e5f60718293a4b5c6d7e8',
        name: 'simulated',
        local_devid: request.node + 1,
        local_lnn: request.node + 1,
        onefs_version: {
          build: `B_SIMULATED_${switches.release.replaceAll('.', '_')}(RELEASE)`,
          release: switches.release,
          type: 'Isilon OneFS',
          version: `Isilon OneFS v${switches.release}`,
        },
      }),
  },
  { method: 'GET', path: 'license/licenses', answer: ({ cluster }) => json(200, { licenses: [licenseOf(cluster)] }) },
  { method: 'GET', path: 'snapshot/license', answer: ({ cluster }) => json(200, licenseOf(cluster)) },
  {
    method: 'GET',
    path: 'cluster/statfs',
    answer({ cluster: { switches, tree } }) {
      const { totalBytes, availableBytes } = switches.capacity
      const [total, available] = [Math.floor(totalBytes / blockSize), Math.floor(availableBytes / blockSize)]
      const files = { f_files: 2 ** 31, f_ffree: 2 ** 31 - tree.inodeCount }
      return json(200, { f_bsize: blockSize, f_blocks: total, f_bfree: available, f_bavail: available, ...files })
    },
  },
  {
    method: 'GET',
    path: 'statistics/current',
    needs: 'ISI_PRIV_STATISTICS',
    query: ['key', 'degraded', 'timeout', 'devid'],
    answer: ({ cluster, query }) => json(200, { stats: query.getAll('key').map((key) => statisticOf(cluster, key)) }),
  },
  {
    method: 'GET',
    path: 'storagepool/storagepools',
    since: 3,
    answer({ cluster: { switches } }) {
      const { totalBytes, availableBytes } = switches.capacity
      const [total, available] = [String(totalBytes), String(availableBytes)]
      const ssd = { total_ssd_bytes: '0', avail_ssd_bytes: '0', free_ssd_bytes: '0', virtual_hot_spare_bytes: '0' }
      const usage = { total_bytes: total, avail_bytes: available, free_bytes: available, ...ssd, balanced: true }
      return json(200, { storagepools: [{ id: 1, name: 'pool_1', type: 'nodepool', usage }], total: 1 })
    },
  },
  {
    method: 'GET',
    path: 'quota/quotas',
    needs: 'ISI_PRIV_QUOTA',
    query: ['path', 'resolve_names', 'recurse_path_children', 'recurse_path_parents', 'zone', 'type', 'limit'],
    answer({ cluster, query }) {
      const { page, resume } = pageOf(cluster.tokens, { query, list: 'quotas', limit: 1_000 }, (options) =>
        cluster.quotas.filter(({ path }) => isSelected(path, options)),
      )
      return json(200, { quotas: page.map((quota) => quotaOf(cluster, quota)), resume })
    },
  },
]

function licenseOf({ switches: { license } }: Cluster): object {
  const days = license === 'Evaluation' ? { days_to_expiry: 30, expiration: '2026-12-31' } : {}
  return { id: 'SnapshotIQ', name: 'SnapshotIQ', status: license, ...days }
}

function statisticOf({ clock, switches }: Cluster, key: string): object {
  const { totalBytes, availableBytes } = switches.capacity
  const values: Record<string, number> = {
    'ifs.bytes.total': totalBytes,
    'ifs.bytes.free': availableBytes,
    'ifs.bytes.avail': availableBytes,
    'ifs.bytes.used': totalBytes - availableBytes,
  }
  if (!(key in values)) throw refused('AEC_NOT_FOUND', `Unknown statistics key '${key}'.`, 'key')
  return { devid: 0, key, time: clock.now(), value: values[key], error: null, error_code: null }
}

function isSelected(path: string, options: URLSearchParams): boolean {
  const requested = options.get('path')
  if (requested === null || path === requested) return true
  if (options.get('recurse_path_children') === 'true' && path.startsWith(`${requested}/`)) return true
  return options.get('recurse_path_parents') === 'true' && requested.startsWith(`${path}/`)
}

function quotaOf({ switches }: Cluster, { path, isContainer, isReady, usage, ...limits }: Quota): object {
  const { logical, physical, inodes } = usage
  const fields =
    switches.quotaUsage === 'old'
      ? { logical, physical, inodes }
      : {
          applogical: logical,
          fslogical: logical,
          fsphysical: physical,
          physical,
          physical_data: physical,
          physical_protection: 0,
          inodes,
        }
  const { hard = null, soft = null, advisory = null } = limits
  const thresholds = { hard, soft, advisory }
  const plain = { path, type: 'directory', enforced: hard !== null, container: isContainer, ready: isReady }
  return { id: Buffer.from(path).toString('base64url'), ...plain, thresholds, usage: fields }
}
