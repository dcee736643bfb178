import { agentInfos } from '#events/agents.ts'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { dashboard } from '#events/dashboard.ts'
import { growingNow } from '#events/feeds/growingNow.ts'
import { jobs } from '#events/jobs/calls.ts'
import type { Topic } from '#events/live.ts'
import { mostActiveProjects } from '#events/projects/calls.ts'
import { reportChecks } from '#events/reports/runs.ts'
import { volumes } from '#events/snapshots.ts'
import { mostActiveVolumes } from '#events/storages.ts'
import { wallFiring, wallFolders, wallGrowth, wallOptions } from '#events/wall.ts'

/* Apart from `events/wall.ts`, which browsers load with each page. */

const calls: readonly Endpoint[] = [
  dashboard,
  volumes,
  mostActiveVolumes,
  mostActiveProjects,
  jobs.list,
  agentInfos,
  wallGrowth,
  growingNow,
  wallFolders,
  wallOptions,
  reportChecks,
  wallFiring,
]
const topics: readonly Topic[] = ['dashboard', 'jobs', 'changed']

/** Calls and topics of a wall session, regardless of the permissions that they need from users. */
export const isCallOfWall = (call: Endpoint): boolean => calls.includes(call)
export const isTopicOfWall = (topic: Topic): boolean => topics.includes(topic)
