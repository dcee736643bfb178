import { z } from 'zod'
import { endpoint, IdNumber } from '#events/contract/endpoint.ts'
import { TrackedFolder } from '#events/projects/calls.ts'

/** Each folder is a series that a scrape reads. */
export const maxMetricFolders = 1_000

const Folder = z.object({ storageId: IdNumber, path: TrackedFolder.shape.path })

/** A chosen folder; `bytes` by the size basis of its storage, null if the newest snapshot doesn't have the folder. */
export const MetricFolder = Folder.extend({ storageName: z.string(), bytes: z.number().nullable() })
export type MetricFolder = z.infer<typeof MetricFolder>

/** Folders whose bytes are metrics, by storage and path. Each counts once; `choose` replaces all of them. */
export const metricFolders = {
  list: endpoint({
    method: 'GET',
    path: '/v1/metrics/folders',
    needs: 'settings.edit',
    failure: 'Unable to fetch the folders of the metrics',
    answer: z.array(MetricFolder),
  }),
  choose: endpoint({
    method: 'PUT',
    path: '/v1/metrics/folders',
    needs: 'settings.edit',
    failure: 'Unable to change the folders of the metrics',
    body: z.object({ folders: z.array(Folder).max(maxMetricFolders, `must be at most ${maxMetricFolders} folders`) }),
    hasLargeBody: true,
  }),
}
