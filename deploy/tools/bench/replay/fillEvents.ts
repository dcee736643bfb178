import { sql } from 'kysely'
import type { Db } from '#server/platform/postgres/postgres.ts'

/**
 * Fills the empty event log with about this many events of realistic job streams, using only SQL: jobs of one to four
 * tasks, in order of time, some of which fail or have warnings. Returns the number of events.
 */
export async function fillEvents(db: Db, wanted: number): Promise<number> {
  // A job of n tasks has 1 + 4n events, with n from one to four.
  const jobs = Math.ceil(wanted / 11)
  await sql`
    INSERT INTO events (stream, version, type, data, evolve_version, actor, at)
    SELECT 'job-' || job, version, type, data || jsonb_build_object('type', type, 'at', ${iso('at')}), 1, actor, at
    FROM (${eventsOf(jobs)}) AS happened ORDER BY at, job, version`.execute(db)
  await sql`SELECT setval('job_ids', ${jobs}), setval('task_ids', ${jobs * 4})`.execute(db)
  await sql`VACUUM ANALYZE events`.execute(db)
  const { rows } = await sql<{ events: number }>`SELECT count(*) AS events FROM events`.execute(db)
  return rows[0]?.events ?? 0
}

const iso = (column: string) => sql`to_char(${sql.ref(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const eventsOf = (jobs: number) => sql`
  WITH job AS (
    SELECT job, 1 + job % 4 AS tasks, 1 + job % 3 AS agent, timestamptz '2026-01-01 00:00Z' + job * interval '30 seconds' AS queued
    FROM generate_series(1, ${jobs}::bigint) AS job
  )
  SELECT job, 1 AS version, 'JobQueued' AS type, queued AS at,
    CASE WHEN job % 10 = 0 THEN 'admin' ELSE 'system' END AS actor,
    jsonb_build_object('jobId', job, 'jobType', 'SCAN_ON_PREMISES', 'serverId', agent,
      'payload', jsonb_build_object('volumes', (SELECT jsonb_agg(v) FROM generate_series(1, tasks) v), 'cloneIndex', true)) AS data
  FROM job
  UNION ALL
  SELECT job, 2 + step * tasks + task, type, queued + interval '7 seconds' * (step * step * (1 + task)), 'system',
    jsonb_build_object('taskId', job * 4 + task) || CASE type
      WHEN 'TaskQueued' THEN jsonb_build_object('taskType', 'SCAN_VOLUMES', 'serverId', agent,
        'payload', jsonb_build_object('volumes', jsonb_build_array(task + 1), 'scanId', job * 4 + task, 'cloneIndex', true))
      WHEN 'TaskStarted' THEN '{"attempt": 1}'
      WHEN 'TaskCommitting' THEN '{}'
      WHEN 'TaskFailed' THEN '{"reason": "The agent lost its connection to the storage"}'
      ELSE jsonb_build_object('result', jsonb_build_object('files', job * 100, 'folders', job * 7, 'bytes', job * 1000000,
        'unreadable', CASE type WHEN 'TaskWarned' THEN 3 ELSE 0 END))
    END
  FROM job, generate_series(0, tasks - 1) AS task, generate_series(0, 3) AS step,
    LATERAL (SELECT CASE step WHEN 0 THEN 'TaskQueued' WHEN 1 THEN 'TaskStarted' WHEN 2 THEN 'TaskCommitting' ELSE
      CASE WHEN (job + task) % 50 = 0 THEN 'TaskFailed' WHEN (job + task) % 20 = 0 THEN 'TaskWarned' ELSE 'TaskSucceeded' END
    END AS type) AS kind`
