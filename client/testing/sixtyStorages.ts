import { sql } from 'kysely'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Visit } from '#client/testing.ts'

/** Sixty storages of all kinds with scans from forty days ago to today, and an empty one. */
export async function sixtyStorages(db: Db, visit: Visit): Promise<void> {
  await sql`
    WITH made AS (INSERT INTO volumes (name, path, type)
      SELECT CASE WHEN n % 10 < 7 THEN 'Shared storage of the department with number ' || n
          WHEN n % 10 < 9 THEN 'S3-BUCKET-media-' || n / 10 || CASE n % 10 WHEN 8 THEN '' ELSE 'b' END
          ELSE 'Index ' || n / 10 END, '/mnt/' || n,
        CASE WHEN n % 10 < 7 THEN 'crawl.files' WHEN n % 10 < 9 THEN 'AWS-S3' ELSE 'Archiware' END
      FROM generate_series(1, 60) AS n RETURNING id, type),
    days AS (SELECT unnest(ARRAY[0, 10, 20, 30, 40]) AS ago),
    scanned AS (INSERT INTO scans (volume_id, indexing_date, state, job_id, task_id, agent_id, files, folders, bytes,
        capacity_total, capacity_used)
      SELECT id, current_date - ago, 'done', 9, 1000 + id * 50 + ago, 1, id * 1000, id * 10,
        id * 1e12 + (CASE id % 2 WHEN 0 THEN -1 ELSE 1 END) * (40 - ago) * id * 1e10,
        CASE type WHEN 'crawl.files' THEN id * 2e12 END,
        CASE type WHEN 'crawl.files' THEN id * 1e12 + sin(ago + id) * id * 1e11 + id * id * 1.5e10 END
      FROM made, days RETURNING id, volume_id, indexing_date)
    INSERT INTO snapshots (indexing_date, volume_id, scan_id) SELECT indexing_date, volume_id, id FROM scanned`.execute(
    db,
  )
  // Adding a storage through the API makes the server reload the dashboard.
  await visit.product.addStorage({ name: 'Empty', path: '/mnt/empty' })
}
