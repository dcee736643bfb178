import type { TaskNotice } from '#events/agents.ts'
import type { JobEvent } from '#events/jobs.ts'
import { subjects } from '#events/subjects.ts'
import { follow } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'

/**
 * Puts each queued task of an agent into that agent's work queue. The event's position is the message id, so that handling an event
 * twice queues its task once.
 */
export const startDispatch = ({ db, nats, log }: Platform) =>
  follow(
    db,
    'task-dispatch',
    async ({ position, stream, event }) => {
      if (!isTaskQueued(event) || event.taskType !== 'SCAN_VOLUMES') return
      const notice: TaskNotice = {
        taskId: event.taskId,
        jobId: Number(stream.slice('job-'.length)),
        type: event.taskType,
      }
      await nats.js.publish(subjects.tasks(event.serverId), JSON.stringify(notice), { msgID: `task-${position}` })
    },
    (error) => log.error({ error }, 'Tasks could not be handed to their agents'),
  )

const isTaskQueued = (event: { type: string }): event is Extract<JobEvent, { type: 'TaskQueued' }> =>
  event.type === 'TaskQueued'
